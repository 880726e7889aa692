/** What is given to integration engines: the script of Mirth's response transformer with every answer, and the channels. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { answerOf, answerOfHeld } from '../../nodes/shared/intake/http-answer.ts'
import { root } from '../support/built.ts'
import { exampleFlow } from '../support/node-red/examples/examples.ts'

const fileOf = (name: string) => readFileSync(join(root, 'docs/engines', name), 'utf8')
const script = fileOf('mirth-response-transformer.js')
const channel = fileOf('mirth-channel.xml')

/** What the script makes of an answer. Mirth gives it `msg`, an object of Java that only turns into text, and these two to set. */
function transformed(text: string) {
  const variables = {
    msg: { toString: () => text },
    responseStatus: 'as it was',
    responseStatusMessage: '',
    ERROR: 'ERROR',
  }
  runInNewContext(script, variables)
  return { status: variables.responseStatus, message: variables.responseStatusMessage }
}

/** The names of the elements that are open at the end, and those that were closed in the wrong order. */
function unbalanced(xml: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, end, name, self] of xml.matchAll(/<(\/?)([\w.]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end) open.at(-1) === name ? open.pop() : wrong.push(name!)
    else if (!self) open.push(name!)
  }
  return [...open, ...wrong]
}

describe('what integration engines are given', () => {
  it('makes an error of what is held, with the reasons, and leaves every other answer as it is', () => {
    const reasons = ['TXA-2: the code "X" is not in documentTypes of the map', 'PID-7: no date']
    for (const query of [{}, { strict: '1' }]) {
      const held = answerOfHeld({ held: reasons, req: { query } })
      expect(transformed(JSON.stringify(held.payload))).to.deep.equal({
        status: 'ERROR',
        message: `Held: ${reasons.join('; ')}`,
      })
    }
    const others = (['new', 'known', 'full', 'down'] as const).map((put) => JSON.stringify(answerOf(put).payload))
    for (const text of [...others, '<html>Bad gateway</html>', '', 'null', '[]'])
      expect(transformed(text), text).to.deep.equal({ status: 'as it was', message: '' })
  })

  it('has the script in the channel of Mirth, whose elements are whole', () => {
    const [, inChannel = ''] = /<script>(.*?)<\/script>/s.exec(channel) ?? []
    const read = inChannel.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    expect(read).to.equal(script)
    expect(unbalanced(channel)).to.deep.equal([])
    expect(unbalanced(channel.replace('</destinationConnectors>', ''))).to.not.deep.equal([])
  })

  it('has channels that lead to the example, and hold no password', () => {
    const { url } = exampleFlow('Receive orders over HTTP').find(({ type }) => type === 'http in')!
    expect(channel).to.contain(`<host>https://node-red.example.org${url}</host>`).and.contain('<password></password>')
    const { routes, urlPattern } = JSON.parse(fileOf('openhim-channel.json'))
    expect(routes[0].path).to.equal(url)
    expect(String(url)).to.match(new RegExp(urlPattern))
  })
})
