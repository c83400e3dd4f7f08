package cases

// Random says that the expressions were made at random.
const Random = false

// Exprs are the expressions. Each becomes a function of package expr.
var Exprs = []string{
	// comparison
	"v > 100", "v >= w", "v == w", "v != 7", "d < x", "d >= 1.5", "d == x", "s < u", "s == 'paid'", "s <= 'é'", "b == c", "b != (v > 0)", "b == true", "false == c", "b < c", "b <= c",
	"b > c", "b >= (v > w)", "t < z", "t == timestamp('2024-01-02T03:04:05.5Z')", "t >= timestamp('1960-01-01T00:00:00-05:00')", "(v > 0) == (w > 0)", "!(d < x)",
	// arithmetic
	"v + w", "v - w", "v * w", "v / w", "v % w", "-v", "v / 2", "v % 10 == 3", "v / -1", "-7 / 2", "-7 % 2", "v % 0", "v / 0", "9223372036854775807 + v", "-9223372036854775808 - v",
	"v - (w - 5)", "v - w - 5", "(v + 1) * 3", "amount / 100 * 100 + amount % 100", "amount * 0 + size(s) * 60", "60 * 60 * 24 + v", "d + x", "d - x", "d * x", "d / x", "-d", "d * 2.0", "d / 3.0",
	"d * 0.5 + x * 0.5", "d - (x - 1.0)", "d / (x * 2.0)", "-(d * x) + d", "- -d", "0.1 + 0.2 < d", "d / 0.0", "d / 0.0 > x", "0.0/0.0 == 0.0/0.0", "d / 0.0 == x / 0.0", "1.0 / d < 1.0 / x", "0.0 * d",
	"d * 1e300 * 1e300 > x", "1e308 * 10.0 > d", "s + u", "s + '-' + u + '!'", "'' + s",
	// logic, with faults absorbed
	"b && c", "b || c && v > 0", "!b", "!(b || c)", "b && !c || v > 3 && w > 4", "v / w > 10 || b", "v / w > 10 && b", "b || v / w > 10", "w != 0 && v / w > 10", "v / w > 10 && w > 0", "w == 0 || v % w == 1",
	"v / w > 1 && w / v > 1", "v / w > 1 || w / v > 1", "v / w > 1 && w / v > 1 && b", "v / w > 1 || w / v > 1 || b", "v / w > 1 && w / v > 1 && v + w > 0", "v / w > 1 || w / v > 1 || v + w > 0 || int(s) > 0",
	"(v / w > 1 && w / v > 1) || (v % w == 0 && int(s) > 1)", "!(v / w > 1 && w / v > 1) && b", "(v / w > 1 || b) && (w / v > 1 || c)", "(v + w > 0 ? v / w > 2 : w / v > 2) && int(s) > 3",
	"v / w + w / v > 1 && v % w + w % v > 1", "b && (v > 0 ? w : v) > 3 && (c ? d : x) > 1.0", "(b || v / w > 1) && (c ? v * w : v - w) > 0 && v + w > 1",
	"(v / w > 1 && (b ? w / v > 1 : v % w == 0)) || (v * w > 5 && c)",
	// choice
	"b ? v : w", "v == 0 ? 1 / v : 2", "v == 0 ? 1 : 2 / v", "b ? s : u", "b ? d * x : 0.5", "b ? 0.0 : d * x + 1.0", "b ? (c ? 1 : 2) : 3", "b ? n : v", "b ? n : null", "note == null ? 'none' : note", "b ? null : r",
	"(b ? n : v) == null", "(b ? n : v) == 3", "(b ? n : v) + 1", "b ? t : z", "b ? v / w : w / v", "(b ? d * x : x) + 1.0", "flag ? 1 : 2",
	// null
	"n == null", "n != null", "null == note", "n == 5", "n != 5", "n == v", "v != n", "n != v + 1", "note == s", "note != 'x'", "r == d", "flag == true", "flag == b", "flag == false", "flag != c", "seen == null", "seen == t",
	"seen != z", "n + 1", "n > 3", "-n", "size(note)", "note.startsWith('a')", "!flag", "flag && b", "flag || b", "flag && v / w > 1", "flag", "n", "r", "note", "seen", "seen < t", "n != null && n > 3", "n == null || n / 2 > 3",
	"n > 3 && n != null", "note != null && size(note) > 3 && note != 'long'", "has(event.n) ? n + 0 : 0", "has(event.note)", "has(event.v)", "!has(event.flag) || flag", "n == 5 && n + 1 > 2", "n in [1, 2]", "!(n in [1, 5])",
	"n in nums", "note in ['a', s]", "note in tags", "r in marks", "flag in [true]", "v in [n, 3]", "n in [v, 3]", "string(n)", "r / r", "n == v && n == w", "note in ['a', note + 'x']", "has(event.more) && 3 in more", "3 in more", "size(more)", "n > 0 && v / n > 2", "n == 0 ? 0 : v / n",
	// lists
	"s in ['a', 'paid', '']", "v in [1, w, v + 1]", "v + 1 in [1, 2, 3]", "d in [1.5, x]", "b in [c]", "s in tags", "v in nums", "d in marks", "d * 2.0 in marks", "b in bits", "t in [z]", "size(tags) > 1", "tags[0] == s", "nums[v] + 1", "marks[1] > 0.0",
	"bits[0] && b", "tags[size(tags) - 1]", "more[0] > 1", "(b ? r : null) == d", "v / w in [1, 2]", "1 in [v / w, w / v]",
	// nested
	"home.city == 'x'", "event.home.city + s", "home.zip == null", "has(event.home.zip) ? home.zip : 'none'", "work.city == 'x'", "has(event.work)", "has(event.work) && work.city != ''", "has(work.zip)", "has(event.work.city)", "work != null", "work == null || work.zip == 'x'",
	"home.geo.lat > 1.0", "has(home.geo) && home.geo.lat > 1.0", "has(work.geo) && work.geo.alt == 1.5", "work.geo.alt", "has(work.geo.alt)", "work.city == 'x' || b",
	// strings
	"size(s)", "s.size() > 2", "size('é😀')", "s.startsWith(u)", "s.endsWith('0')", "s.contains(u)", "u.contains('é')", "s.matches('^[0-9]+$')", "matches(s, 'a|é')", "s.matches('(?i)^PAID$') && b", "size(s + u) > 3", "(s + u).contains('aa')",
	// conversion
	"int(d)", "int(x * 1e10)", "int(1.9)", "int(-1.9)", "int(9.3e18)", "int(s)", "int(t)", "int(v)", "double(v)", "double(v) / 2.0", "double(s)", "double(s) > 1.0", "double(d)", "string(v)", "string(d)", "string(d / x)", "string(b)", "string(s)", "string(t)",
	"string(1.0)", "string(t - z)", "bool(s)", "bool(s) || b", "timestamp(v)", "timestamp(s)", "timestamp(s) > t", "duration(s)", "duration(s) > duration('1s')", "int(duration(s))", "double(int(d)) == d", "int(string(v)) == v",
	"'v=' + string(v) + ', d=' + string(d)",
	// time
	"t + duration('1h')", "t - duration('36h30m')", "t - z", "duration('90s') + t > z", "t - z > duration('10m')", "z + (t - z)", "(t - z) + (t - z)", "(t - z) - duration('1ms')", "t + duration(s)", "t - duration(s)", "duration('1h') + duration('1m') == t - z",
	"int(t - z)", "timestamp(int(t)) <= t",
	// lists that are made
	"[v, w][0]", "[s, u, 'x'][v]", "size([d, x])", "[v] + nums", "nums + [1, 2] == nums", "tags == ['a']", "tags != [s, u]", "marks == [d]", "bits == [b, c]", "more == nums", "blobs == [y]", "[d / x]", "[d / x, 1.0][0] > 1.0", "[-0.0 * d]",
	"b ? tags : [s]", "b ? [] : nums", "[] == tags", "tags + [s]", "3 in nums + [v]", "[[v, w], nums][0]", "[[v], nums][1][0] + 1", "[[d / x]]", "size(tags + tags)", "[v / w, 1]", "times[0] > t", "times == [t, z]", "t in times", "blobs[0] == y", "y in blobs",
	// loops
	"tags.exists(x, x == 'a')", "tags.all(x, x != 'a')", "tags.exists_one(x, x == s)", "tags.filter(x, size(x) > 1)", "tags.map(x, size(x))", "tags.map(x, x + '!')", "nums.map(x, x > 0, x * 2)", "nums.exists(x, 10 / x > 2)", "nums.all(x, 10 / x > 2)",
	"nums.exists_one(x, 10 / x > 2)", "nums.filter(x, 10 / x > 2)", "nums.map(x, 10 / x)", "nums.map(x, 10 / x > 2, 100 % x)", "nums.map(x, x != 0, 100 / x)", "nums.exists(x, x > v) && b", "nums.exists(x, 10 / x > 2) || b", "nums.exists(x, 10 / x > 2) && w / v > 1",
	"nums.exists(x, x == n)", "nums.all(x, n != null && x < n)", "more.exists(x, x > 1)", "has(event.more) && more.all(x, x > 0)", "tags.exists(x, b)", "marks.map(x, x * d)", "marks.map(x, x * 2.0)", "marks.map(x, x / d)[0] > 1.0", "bits.all(x, x)", "times.exists(x, x > t)", "blobs.map(x, size(x))",
	"nums.exists(x, nums.all(q, x >= q))", "nums.map(x, nums.map(q, q - x))", "nums.map(x, nums.filter(q, q > x))[0]", "nums.filter(x, x > 0).map(x, x + 1)", "tags.map(x, x.split('')).exists(p, size(p) > 3)", "size(tags.filter(x, x.startsWith(s)))", "[v, w].exists(x, x == 5)",
	"tags.exists(x, x.matches('^[a-z]+$'))", "nums.map(x, double(x) / d)", "[1, 2, 3].map(x, x * v)", "nums.exists(x, int(s) == x)", "b && nums.exists(x, w / x > v / w)", "(b ? nums : [v]).exists(x, x > 3)", "v / w > 1 || nums.all(x, x / v > 0) || c", "[v / w].exists(x, x > 1) || b",
	// lists of structs
	"items.exists(i, i.price > d)", "items.all(i, i.qty > 0)", "items.map(i, i.sku)", "items.map(i, i.qty > 0, i.price)", "items.exists_one(i, i.hint == null)", "items.exists(i, has(i.hint) && i.hint == s)", "items.map(i, i.hint)", "items[0].price", "items[v].sku == s", "has(items[0].hint)",
	"items[0].hint == null || items[0].hint.startsWith('a')", "size(items)", "items.filter(i, i.qty > 1).map(i, i.price * double(i.qty))", "items.exists(i, i.sizes.exists(x, x > i.qty))", "items.map(i, i.sizes)", "items.map(i, size(i.sizes))", "items.exists(i, i.maker.land == 'a')",
	"items.exists(i, has(i.maker) && i.maker.land == s)", "items[0].maker.land", "items[w].maker != null", "items.exists(i, i.qty / v > 1) || b", "items.exists(i, tags.exists(x, x == i.sku))",
	// maps
	"{'a': 1, 'paid': v, 's': 3}[s] + 1", "{1: 'one', 2: s, 3: u}[v]", "{true: v, false: w}[b]", "{'a': n, 'b': 2}[s]", "{'a': v / w, 'b': 2}[s]", "s in {'a': 1, 'paid': 2}", "{'a': 1.5, 'long': d * x}[s] > 1.0", "b || {'a': 1}[s] > 0", "{'a': m, '': decimal('1')}[s] + k", "{'a': 1}[note] == 1",
	"nums.map(x, {1: 'a', 5: 'b', 10: s}[x])", "{'a': [1], 'b': nums}[s]", "note in {'a': 1}", "size(s) > 3 ? {'paid': 1}[s] : {0: 1, 1: 2}[v]", "{'a': d / x}[s]",
	// bytes
	"y == b'abc'", "size(y)", "size(bytes(\"é\"))", "y + b'\\xff'", "string(y)", "bytes(s)", "bytes(s) == y", "y < b'b'", "raw == null", "raw == y", "size(raw) > 1", "y in [b'a', raw]", "string(bytes(s)) == s", "b'\\xff' + y != raw",
	// decimals
	"m + k", "m - k", "-m", "m < k", "m == k", "m != decimal('1.25')", "m >= decimal('0.5') && k < decimal('100')", "m + decimal('0.01')", "double(m)", "double(m) / 2.0", "string(m)", "string(-k) + s", "fee == null", "fee == m", "fee + m", "m in [k, decimal('1')]", "fee in [m]", "b ? m : decimal('0')", "b ? fee : null",
	"[m, k][v] > decimal('3')", "[m, decimal('2.5')]", "[m, k].exists(x, x > fee)", "m - decimal('92233720368547758.07')", "double(decimal('0.10')) + d", "string(decimal('-0.05'))", "math.sqrt(2.5) + double(decimal('-3.01'))", "1.0 / double(decimal('0'))", "0.1 * double(decimal('0.2')) > d",
	// text
	"s.charAt(v)", "s.charAt(0)", "s.indexOf(u)", "s.indexOf(u, v)", "s.indexOf('', 1)", "s.lastIndexOf(u)", "s.lastIndexOf(u, v)", "s.lastIndexOf('', v)", "s.lowerAscii()", "s.upperAscii() == 'PAID'", "s.replace(u, '-')", "s.replace('a', '')", "s.replace('', '.')", "s.replace('a', 'bb', v)", "s.replace('', u, 2)", "s.split(u)", "s.split('')",
	"s.split(u, v)", "s.split('', 2)", "s.split('-').map(x, x + '?')", "s.substring(v)", "s.substring(1)", "s.substring(0, v)", "s.substring(v, w)", "s.trim()", "(' \\t' + s + '\\u3000').trim() == s", "s.reverse()", "tags.join()", "tags.join(s)", "tags.join(', ')", "s.split('').join('-')", "note.lowerAscii()", "s.lowerAscii().contains(u)", "size(s.split(':')) > 2",
	"'Ünïcode'.indexOf(u)", "('é' + s + '😀').substring(1, 2)", "('é' + s + '😀').charAt(1)", "('é' + s + 'é').lastIndexOf('é')",
	// math
	"math.greatest(v, w)", "math.least(v, w, 5)", "math.greatest(v)", "math.greatest(d, x)", "math.least(d, x, 0.5, r)", "math.greatest(d / x, 1.0)", "math.least(d / x)", "math.greatest(nums)", "math.least(nums)", "math.greatest(marks)", "math.least(marks.map(q, q / d))", "math.greatest(v, w) - v", "math.greatest(n, 3)", "math.abs(v)", "math.abs(d)", "math.abs(amount) + 1",
	"math.sign(v)", "math.sign(d)", "math.sign(d / x)", "math.ceil(d)", "math.floor(d)", "math.round(d)", "math.trunc(d)", "math.round(d / x)", "math.isNaN(d / x)", "math.isInf(d / x)", "math.isFinite(d / x)", "math.isFinite(d)", "math.sqrt(d)", "math.sqrt(v)", "math.bitAnd(v, w)", "math.bitOr(v, 5)", "math.bitXor(v, w)", "math.bitNot(v)", "math.bitShiftLeft(v, w)",
	"math.bitShiftRight(v, 3)", "math.bitShiftRight(v, w) > 3", "math.bitAnd(math.bitOr(v, 1), w + 1)", "int(math.round(d)) + v", "math.abs(v) > 5 || w / v > 1", "math.abs(nums[0])", "math.bitNot(math.bitNot(v)) == v", "-math.abs(amount)",
	// parts of times
	"t.getFullYear()", "t.getMonth()", "t.getDayOfYear()", "t.getDayOfMonth()", "t.getDate()", "t.getDayOfWeek()", "t.getHours()", "t.getMinutes()", "t.getSeconds()", "t.getMilliseconds()", "t.getHours(\"America/Los_Angeles\")", "t.getHours('+02:00')", "t.getMinutes('-05:30')", "t.getDate('Asia/Kolkata')", "t.getDayOfWeek('Pacific/Apia')", "t.getFullYear('-11:00')",
	"t.getMonth('Europe/Berlin') == 5", "t.getDayOfYear('UTC')", "t.getSeconds('Africa/Monrovia')", "t.getMilliseconds('+00:01')", "t.getDayOfMonth('02:00')", "seen.getHours()", "(t - z).getHours()", "(t - z).getMinutes()", "(t - z).getSeconds()", "(t - z).getMilliseconds()", "duration(s).getHours()", "v / (t.getHours() + 1)", "v / t.getDate()", "times.map(x, x.getHours('+02:00'))",
	"(t + duration('36h')).getDayOfWeek()", "timestamp(v).getFullYear()",
}
