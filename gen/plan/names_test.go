package plan

import (
	"go/token"
	"testing"
)

func TestMangling(t *testing.T) {
	for _, test := range []struct{ text, exported, unexported string }{
		{"user_id", "UserID", "userID"},
		{"userId", "UserId", "userId"},
		{"UserID", "UserID", "userID"},
		{"user id", "UserID", "userID"},
		{"late-orders", "LateOrders", "lateOrders"},
		{"id", "ID", "id"},
		{"ID", "ID", "id"},
		{"1st", "X1st", "x1st"},
		{"+1", "X1", "x1"},
		{"$v", "V", "v"},
		{"_", "X5F", "x5F"},
		{"名前", "X名前", "x名前"},
		{"éclair", "Éclair", "éclair"},
		{"\U0001F600", "X1F600", "x1F600"},
		{"type", "Type", "type"},
		{"*/ var X = 1 /*", "VarX1", "varX1"},
	} {
		if got := exported(test.text); got != test.exported || !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exported(%q) = %s, want %s", test.text, got, test.exported)
		}
		if got := unexported(test.text); got != test.unexported {
			t.Errorf("unexported(%q) = %s, want %s", test.text, got, test.unexported)
		}
	}
}

func TestScope(t *testing.T) {
	s := newScope("decode")
	for _, test := range []struct{ name, want string }{
		{"once", "once"}, {"once", "once_2"}, {"once", "once_3"}, {"decode", "decode_2"}, {"select", "select_"}, {"len", "len_2"},
	} {
		if got := s.unique(test.name); got != test.want {
			t.Errorf("unique(%s) = %s, want %s", test.name, got, test.want)
		}
	}
	if got := s.first("once", "w1Once"); got != "w1Once" {
		t.Errorf("first = %s, want w1Once", got)
	}
}
