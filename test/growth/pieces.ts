/** Stands for a number that differs in each repetition. */
const number = '№';

const pieces = (...rows: readonly string[]): readonly string[] =>
  rows.flatMap((row) => row.split('┆'));

/** What opens a hundred times and then closes as often, around this mark. */
const inside = '…';

export function repeated(piece: string, length: number): string {
  if (!/[№…]/.test(piece)) return piece.repeat(Math.ceil(length / piece.length));
  const [open = '', close = ''] = piece.split(inside);
  const deep = piece.includes(inside) ? 100 : 1;
  const parts: string[] = [];
  for (let size = 0, count = 0; size < length; size += parts.at(-1)?.length ?? 1) {
    const opened = Array.from({ length: deep }, () => open.replaceAll(number, String(count++)));
    parts.push(`${opened.join('')}${close.repeat(deep)}`);
  }
  return parts.join('');
}

/** Characters of any text. */
export const anywhere = pieces(
  'a┆must ┆a b c. ┆ ┆\n┆\t┆\r┆\u2028┆\u00df┆\u{1f600}┆\0┆"┆\'┆`┆\u201c┆(┆)┆[┆]┆{┆}┆<┆>┆&┆\\',
  '/┆-┆_┆*┆~┆#┆|┆=┆:┆;┆,┆.┆!┆?┆@┆$┆%┆+┆^┆0',
);

export const markdown = pieces(
  '# a\n┆## a b\n┆- a\n┆* ┆1. a\n┆- [ ] a\n┆- [x] a №\n┆> ┆> a\n┆- a must b\n',
  'It must be so. ┆It must № be so.\n┆if ┆as a user, ┆not ┆```\n┆```a\n┆~~~\n┆``┆---\n',
  '***\n┆a\n===\n┆\\\n┆  \n┆    a\n┆| a | b |\n|---|---|\n┆|a┆| a |\n┆[a](┆[a](b)┆[a]┆![',
  '[a]: b\n┆[^a]: ┆**┆**a┆**a**: b\n┆_a┆~~a┆a_┆a*┆<!--┆<!--\n┆<!-- a -->┆<a>┆</a>┆<a href="',
  '<details>\n┆<https://┆https://a.b ┆a@b.c ┆www.a.┆&amp;┆&#┆:a:┆## T-№: a\n',
  'Depends on: T-1\n┆## T-№: a\nDepends on: T-0\n┆## M№: a\n- [ ] a\n',
  '- [ ] 1.№ a\n┆- [ ] T№ a\n┆Given a\n┆Scenario: a\n┆Feature: a\n┆a: b\n',
  'a\n: b\n┆- a\n\n┆- a\n  - b\n┆1. ┆  ┆a\n\n┆- `a`\n┆e.g. ┆1.1 ┆A. ┆at least 5 ┆no ',
  'REVIEW_PASSED┆REVIEW_FAILED: a\n┆MAJOR: a\n┆MAJOR: a (b┆TODO ┆TODO: a\n┆Lorem ipsum ',
  '<<<UNTRUSTED a b>>>\n┆\n<<<END a>>>┆<<<<<<< a\n┆>>>>>>> a\n┆=======\n┆```diff\n+a\n',
  'password="┆password=\'x┆password=\\"┆bearer ┆://┆xoxb-┆sk-a┆-----END ┆-----BEGIN PRIVATE KEY',
  'password=x1 ┆secret: ┆bearer a1┆://a:┆-----BEGIN PRIVATE KEY-----\n┆sk-┆ghp_',
  '=aB3┆a:┆\u001b[┆\u001b]┆a-┆aB1┆a.b┆a/b ┆"a ┆fill in ┆[name] ┆XX┆---\na: b\n┆a № ',
  '<b>\n┆<p a="┆<p>a</p>\n┆<script>┆<li>┆\r\n┆\ufeff┆\u200b┆- \u203aa┆a;\n┆a,\n┆and ',
  'a and b, ┆or ┆a "b" ┆*a* ┆1) a\n┆a) b\n┆+ a\n┆**a…**┆[…](a)┆> …\n┆(a…)',
);

export const html = pieces(
  '<a ┆<a b ┆<i a a>┆<a b b ┆b="c" ┆<i id=a></i>┆<i id=a№>┆<a href=#x>x</a>',
  '<a href=#a№>x</a>┆<img src=a alt=b>┆<img>┆<form>┆<input>┆<input name=a>',
  '<input id=a№>┆<label>a<input>┆<label>a<input></label>┆<label for=a>x</label>',
  '<label>┆<label for=a№>x</label><input id=a№>┆<button>┆<button>a</button>',
  '<select>┆<option>a┆<fieldset>┆<legend>┆<textarea>┆<table>┆<tr><td>1┆<th>a┆<td>┆<tr>',
  '<h1>x</h1>┆<h№>a┆<h2>┆<!-- x -->┆<!--┆<!┆<?┆</┆</p>┆</b>┆<p>┆<div>┆<b>┆<b><p>┆<a>',
  '<nobr>┆<li>┆<ul><li>┆<ul>┆<dl>┆<dt>a<dd>b┆<svg>┆<math>┆<template>┆<style>',
  '<style>a{b:c}</style>┆<style>.a b{color:red}</style><b class=a>┆<script>',
  '<script>a</script>┆<title>a┆<iframe>┆<video>┆<source>┆<body a№>┆<html>┆<head>',
  '<meta>┆<link rel=a>┆<base href=a>┆&amp;&x┆&┆&#x41;┆\r\n┆<p hidden>a',
  '<i aria-labelledby=a>┆<i id=a aria-labelledby="a b">┆<i role=button>┆<i tabindex=1>',
  '<p class="a b">┆<p style="color:red">┆<main>┆<nav>┆<section>┆<i lang=x>┆<area>',
  '<map name=a>┆<object>┆<caption>┆<optgroup>┆<frameset>┆<plaintext>┆<ruby><rt>',
  '<details><summary>┆<dialog>┆<a href=b№.html>c</a>',
  '<i id=a№ aria-describedby=a№>┆<i aria-owns=a№ id=b№>┆<x-a>',
  '<label>a<input>…</label>┆<label hidden>a<input>…</label>┆<b>a…</b>┆<ul><li>a…</ul>',
  '<i hidden id=a№ aria-labelledby=a№>a…</i>┆<div>…</div>┆<table><tr><td>…</table>',
);

export const css = pieces(
  'a{┆a{b:c}┆a{color:red}┆#fff}a{b:c}┆a{b:(┆/*┆/* a */┆*/┆@┆@media a{┆@a;',
  '@media (max-width:1em){┆a,┆a b ┆a>┆:is(┆:not(a)┆[a=┆[a="b"]┆::a┆.a┆#a┆:root{--a:b}',
  ':root{--a№:red}┆a{b:var(--a)}┆a{b:var(--a№)}┆var(┆url(┆url("┆calc(',
  'a{color:#fff}┆a{color:#a№}┆a{margin:№px}┆a:focus{outline:none}┆@import "a";',
  'a{&{┆a{color:re┆!important┆a{b:c;┆b:c;┆<!--┆-->┆@keyframes a{from{┆@font-face{',
  'a{colr:red}┆--a:b;┆:root{--a:var(--b);--b:var(--a)}┆:root{--a№:var(--a№)}┆1px ',
  '1e┆rgb(┆\\a┆"\\┆@media a{…}┆:is(…)┆a{b:var(--a,…)}',
);

export const code = pieces(
  '//┆// a\n┆/*┆*/┆/* a */┆#┆# a\n┆--┆-- a\n┆"""┆\'\'\'┆"a┆\'a┆`a┆`${┆`${`┆${┆/a┆/a/┆/[┆\\"',
  "a(┆{\n┆}\n┆// ...\n┆// TODO\n┆# rest\n┆...┆<<a\n┆<<EOF\n┆<<'a'\n┆$(┆$((┆r\"┆f\"{┆b'",
  '<?php ┆?>┆a = "b";\n┆\u202e┆\u2066┆password = "x1";\n┆<<<<<<< a\n┆=======\n┆>>>>>>> a\n',
  'function a() {\n┆pass\n┆<a>┆</a>┆=>',
);

export const data = pieces(
  '{"a":┆[1,┆[1]┆{}┆{}\n┆[]┆"a":1,┆"a№":1,┆"a"┆"a",┆\\"┆\\\\"┆\\u00┆1 ┆true,┆True,',
  "None,┆NaN,┆'a',┆a: b\n┆a: ┆- a\n┆- ┆? ┆- - ┆a:\n┆ a:\n┆&a ┆*a ┆&a [*a]\n",
  '- &a№ b\n┆a№: b\n┆|\n┆>\n┆"a\n┆!a ┆%a\n┆---\n┆...\n┆# a\n┆{a: ┆[a, ┆a = 1\n',
  '[a]\n┆[[a]]\n┆[a.b№]\n┆a.┆a№ = "b"\n┆"""┆\'\'\'┆```json\n┆```\n┆<think>',
  '</think>┆/*┆//┆// a\n┆<think>a</think>┆- must: a\n┆- text: a№\n┆- id: a№\n',
  '"a" ┆a,┆}{┆][┆,}┆{"tasks":[┆{"id":"a№","dependsOn":["a1"]},┆- {id: a№}\n',
  '  - a\n┆<<: *a\n┆\u201ca\u201d,┆{"items":[┆{"id":"a"},┆{"a":…}┆[…]┆- …┆<think>…</think>',
);

export const diffs = pieces(
  'diff --git a/a b/a\n┆--- a/a\n+++ b/a\n┆--- a\n┆+++ a\n┆@@ -1 +1 @@\n-a\n+b\n',
  '@@ -0,0 +1 @@\n+a\n┆--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n',
  'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n┆@@ ┆@@\n',
  'diff --git a/a№ b/a№\nnew file mode 100644\n┆Index: a\n┆===\n┆+a\n┆-a\n┆ a\n',
  '\\ No newline\n┆GIT binary patch\n┆rename from a\n┆index 1..2 160000\n┆diff --git "a',
  ':100644 100644 a b M\0a\0┆1\t1\ta\0┆-----BEGIN PRIVATE KEY-----\n┆-----BEGIN A-----\n',
  '-----END A-----\n┆password = "x1"\n┆eval(x)\n┆"a": "1",\n',
  "it('a №', () => {\n┆expect(a).toBe(№)\n┆it.skip('a')\n┆})\n┆def test_№():\n┆assert a == №\n",
  'func TestA№(t *testing.T) {\n┆@Test\n┆void a№() {\n┆t.Skip()\n┆// eslint-disable №\n┆lines: №\n',
  'npm test || true\n┆"strict": false\n┆function a№() {\n┆assert a is not None\n┆a.',
);

export const reports = pieces(
  '{"runs":[┆[1]\n┆<a ┆<testsuite ┆<testsuite>┆<testcase name="a">┆<failure>┆</a>┆<!--',
  '<![CDATA[┆&amp;┆a="b" ┆ok\n┆not ok\n┆not ok 1 - a\n┆  ok\n┆1..1\n┆  ---\n┆  ...\n',
  'a.c:1: x\n┆a.c:1 ┆a.c(1): ┆error ┆#todo┆ok # skip\n┆a.c:1:1: error: ┆/a/b:1:1\n',
  '{"a":1}\n',
);
