package sample

import "github.com/streamwright/streamwright/spec"

// rolesOf says which fields of the event, by path, the pipeline identifies records by and groups them by. One that is both is an id.
func rolesOf(p *spec.Pipeline, s *spec.Source) map[string]role {
	roles := map[string]role{}
	for _, stage := range p.Stages {
		var keys []*spec.Field
		switch {
		case stage.Window != nil:
			keys = stage.Window.Key
		case stage.Running != nil:
			keys = stage.Running.Key
		case stage.Top != nil:
			keys = stage.Top.Per
		}
		for _, path := range origins(p, s, stage, keys) {
			if roles[path] == plain {
				roles[path] = key
			}
		}
		if stage.Dedup == nil {
			continue
		}
		for _, path := range origins(p, s, stage, stage.Dedup.By) {
			switch {
			case !stage.Dedup.PassNoID:
				roles[path] = id
			case roles[path] != id:
				roles[path] = optionalID
			}
		}
	}
	return roles
}

// origins are the paths of the event's fields that fields of the rows which enter a stage are copies of.
func origins(p *spec.Pipeline, s *spec.Source, stage *spec.Stage, fields []*spec.Field) []string {
	var paths []string
	for _, f := range fields {
		if path := origin(p, s, stage.In, f.Name); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// origin is the path of the event's field that a field of a row is a copy of; empty when it is computed.
func origin(p *spec.Pipeline, s *spec.Source, row *spec.Struct, name string) string {
	if row == s.Event {
		return name
	}
	for _, maker := range p.Stages {
		if maker.Out != row || maker.In == row {
			continue
		}
		if maker.Select == nil {
			return origin(p, s, maker.In, name) // of a window: its key fields
		}
		for _, c := range maker.Select.Columns {
			if c.Name != name {
				continue
			}
			e := c.Expr
			for e.Op == spec.OpRequire || e.Op == spec.OpFinite {
				e = e.Args[0]
			}
			if e.Op != spec.OpField {
				return ""
			}
			head := origin(p, s, maker.In, e.Path[0].Name)
			if head == "" {
				return ""
			}
			for _, f := range e.Path[1:] {
				head += "." + f.Name
			}
			return head
		}
		if maker.Select.Set {
			return origin(p, s, maker.In, name)
		}
		return ""
	}
	return ""
}
