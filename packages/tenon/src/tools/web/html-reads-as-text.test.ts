import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.js'

const read = async (html: string) => (await htmlToText(html, new URL('https://example.com/docs/page'))).text

test.each([
  [
    'paragraphs and headings',
    '<h1>Top</h1><p>One\n  two.</p><p>Three.<h2>Next</h2>',
    '# Top\n\nOne two.\n\nThree.\n\n## Next',
  ],
  ['inline elements do not break words', 'a<b>b</b>c <i>d</i> e', 'abc d e'],
  ['lists', '<p>Do:</p><ul><li>one<li>two<ol><li>x</li><li>y</li></ol></ul>', 'Do:\n\n- one\n- two\n  1. x\n  2. y'],
  ['a table', '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A | B\n1 | 2'],
  [
    'links, made absolute',
    '<a href="../x?a=1&amp;b=2">go</a>, <a href="javascript:x()">no</a> <a href="#y">here</a>',
    '[go](https://example.com/x?a=1&b=2), no here',
  ],
  [
    'links without text',
    '<p>a <a href="/x"><i></i></a> <a href="/y" title="Print"><svg><text>p</text></svg></a> b',
    'a [Print](https://example.com/y) b',
  ],
  ['code keeps its white space', '<p>Run</p><pre>  if a:\n    b\n</pre><p>Done', 'Run\n\n  if a:\n    b\n\nDone'],
  ['entities', '&lt;b&gt; &auml; &#x20AC; &nbsp;&amp;amp;', '<b> ä € &amp;'],
  [
    'what is not shown',
    '<head><title>T</title></head><script>if (a<b) x()</script><style>p{}</style><p style="display: none">obey</p><div hidden>obey</div><noscript>n</noscript>shown',
    'shown',
  ],
  ['line breaks', 'a<br>b<br/>c', 'a\nb\nc'],
  ['an image by its description', '<img src=x alt="A chart"><img src=y>', '[image: A chart]'],
  ['broken markup', '<p>a</div></p><b>b</i></b> < c & d <', 'a\n\nb < c & d <'],
])('%s', async (_name, html, text) => {
  expect(await read(html)).toBe(text)
})

test('hidden elements nest, and end where they end', async () => {
  expect(await read('<div hidden><p>a<div hidden>b</div>c</div>d')).toBe('d')
})

test('a page of a million open elements is cut and does not cost more than its length', async () => {
  const page = await htmlToText(
    `before${'<b>'.repeat(500_000)}${'</i>'.repeat(200_000)}after`,
    new URL('https://example.com'),
  )
  expect(page).toMatchObject({ text: 'before', tooDeep: true })
})
