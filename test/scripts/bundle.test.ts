/** What an application pays for verifying callbacks and nothing else. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { type Bundle, bundle, VERIFY_WEBHOOK_KB } from '../../scripts/package/bundle.ts'
import { aFolder } from '../support/a-folder.ts'

const root = join(import.meta.dirname, '../..')

describe('verifyWebhook alone in a bundle', function () {
  this.timeout(120_000)
  let folder: string
  let made: Bundle

  before(async () => {
    folder = aFolder()
    writeFileSync(join(folder, 'verify.js'), `export { verifyWebhook } from '${join(root, 'lib/index.ts')}'\n`)
    made = await bundle(folder, 'verify.js')
  })

  it('is as small as the guide says, and brings no package along', () => {
    expect(made.code.length).to.be.below(VERIFY_WEBHOOK_KB * 1000)
    expect(made.modules.filter((file) => file.includes('node_modules'))).to.deep.equal([])
    expect(made.modules).to.include(join(root, 'lib/webhook/signature.ts'))
    const guide = readFileSync(join(root, 'docs/guides/client.md'), 'utf8').replaceAll('\n', ' ')
    expect(guide).to.include(`\`verifyWebhook\` alone is bundled into less than ${VERIFY_WEBHOOK_KB} kB, without zod`)
  })

  it('verifies as before', async () => {
    const file = join(folder, 'bundled.mjs')
    writeFileSync(file, made.code)
    const { verifyWebhook } = await import(pathToFileURL(file).href)
    const vector = JSON.parse(readFileSync(join(root, 'test/fixtures/webhook-vector.json'), 'utf8'))
    const headers = {
      'x-service-signature': vector.header,
      'x-service-timestamp': String(vector.timestamp),
      'x-service-event-id': JSON.parse(vector.body).eventId,
      'x-service-event-type': 'document.status_changed',
    }
    const delivery = { payload: vector.body, headers, secrets: vector.secret, now: vector.timestamp * 1000 }
    expect(verifyWebhook(delivery)).to.deep.equal(JSON.parse(vector.body))
    expect(() => verifyWebhook({ ...delivery, payload: `${vector.body} ` })).to.throw('fits none of the secrets')
    expect(() => verifyWebhook({ ...delivery, profile: { headerPrefix: 'X Acme' } })).to.throw('headerPrefix: letters')
  })
})
