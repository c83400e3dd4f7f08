package spec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestRanges holds what is known of ints against exact arithmetic: an operation that is said not to fail does not, and its result is within the range.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	edges := []int64{0, 1, -1, 2, -3, 100, -100, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 31, -1 << 31, 1 << 62, -1 << 62}
	value := func() int64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return int64(r.Uint64()) >> r.IntN(64)
	}
	within := func(k known) int64 {
		switch r.IntN(4) {
		case 0:
			return k.lo
		case 1:
			return k.hi
		}
		return k.lo + int64(r.Uint64N(uint64(k.hi-k.lo)/2+1)) + int64(r.Uint64N(uint64(k.hi-k.lo)/2+1))
	}
	total := map[Op]int{}
	for range 300_000 {
		var k [2]known
		for i := range k {
			k[i].lo, k[i].hi = value(), value()
			if k[i].lo > k[i].hi {
				k[i].lo, k[i].hi = k[i].hi, k[i].lo
			}
		}
		op := []Op{OpAdd, OpSub, OpMul, OpDiv, OpMod, OpNeg}[r.IntN(6)]
		e := &Expr{Op: op, Type: &Type{Kind: Int}}
		got, faults := outcome(e, k[0], k[1])
		if faults != 0 {
			continue
		}
		total[op]++
		a, b := big.NewInt(within(k[0])), big.NewInt(within(k[1]))
		v := new(big.Int)
		switch op {
		case OpAdd:
			v.Add(a, b)
		case OpSub:
			v.Sub(a, b)
		case OpMul:
			v.Mul(a, b)
		case OpNeg:
			v.Neg(a)
		default:
			if b.Sign() == 0 {
				t.Fatalf("%v by %v in %v is said not to fail", a, b, k)
			}
			if op == OpDiv {
				v.Quo(a, b)
			} else {
				v.Rem(a, b)
			}
		}
		if !v.IsInt64() || v.Int64() < got.lo || v.Int64() > got.hi {
			t.Fatalf("operation %d of %v and %v is %v, not in %d to %d", op, a, b, v, got.lo, got.hi)
		}
	}
	if len(total) != 6 {
		t.Errorf("operations that cannot fail: %v", total)
	}
}

// TestSites: a fault that waits for a later operand is reported at the only operation that can fail, or at the operand when there are several.
func TestSites(t *testing.T) {
	truth := &Type{Kind: Bool}
	v := &Expr{Op: OpField, Type: &Type{Kind: Int}, Path: []*Field{{Name: "v", Type: &Type{Kind: Int}}}}
	divide := func(a, b *Expr) *Expr { return &Expr{Op: OpDiv, Type: v.Type, Args: []*Expr{a, b}} }
	positive := func(a *Expr) *Expr {
		return &Expr{Op: OpGreater, Type: truth, Args: []*Expr{a, {Op: OpConst, Type: v.Type, Value: Value{Kind: Int}}}}
	}
	one, inner := divide(v, v), divide(v, v)
	two := divide(inner, v)
	last := &Expr{Op: OpMod, Type: v.Type, Args: []*Expr{v, v}}
	operands := []*Expr{positive(one), positive(two), positive(last)}
	e := Resolve(&Expr{Op: OpAnd, Type: truth, Args: operands})
	if e.Total() || !e.Captures(0) || !e.Captures(1) || e.Captures(2) {
		t.Fatal("the faults of all operands but the last wait")
	}
	want := []Site{{one, FaultDivision | FaultOverflow}, {operands[1], FaultDivision | FaultOverflow}, {last, FaultModulus | FaultOverflow}}
	got := e.Sites()
	if len(got) != len(want) {
		t.Fatalf("%d sites, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("site %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}
