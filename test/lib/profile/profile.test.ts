import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { WEBHOOK_HEADERS } from '../../../lib/contract/callback.ts'
import { docs } from '../../../lib/contract/docs.ts'
import { operations } from '../../../lib/contract/operations.ts'
import { fieldKind, fieldTypes } from '../../../lib/contract/task/field-kinds.ts'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { HostProfile } from '../../../lib/profile/host-profile.ts'
import { FILTERS } from '../../../lib/profile/list-habits.ts'
import { tokensOf, webhookHeaders } from '../../../lib/profile/names.ts'
import { defaultProfile, parseProfile, profileOf, readProfile } from '../../../lib/profile/parse-profile.ts'
import { ProfileError } from '../../../lib/profile/profile-error.ts'
import { valuesOf } from '../../../scripts/profile-table.ts'
import { aFolder } from '../../support/a-folder.ts'

const refused = (written: unknown): readonly string[] => {
  try {
    parseProfile(written)
  } catch (failure) {
    if (failure instanceof ProfileError) return failure.errors
  }
  throw new Error('the profile was not refused')
}

describe('A host profile', () => {
  it('is our own service when everything is left out', () => {
    expect(webhookHeaders(defaultProfile)).to.deep.equal(WEBHOOK_HEADERS)
    expect(tokensOf(defaultProfile)).to.deep.equal(fieldTypes.map((type) => fieldKind(type).token))
    expect(defaultProfile.limits.attachmentBytes).to.equal(defaultLimits.maxBytes)
    expect(defaultProfile).to.deep.include({ name: 'Countersign', apiKeyHeader: 'x-api-key', basePath: '' })
    expect(defaultProfile.list).to.deep.equal({
      envelope: null,
      paging: 'link',
      filters: [...FILTERS],
      filterNames: {},
    })
    expect(operations.listTasks.query.shape).to.include.keys(...FILTERS)
  })

  it('is completed: what is written changes nothing else', () => {
    const { headerPrefix, list, ...rest } = parseProfile({ headerPrefix: 'X-Acme-', list: { envelope: 'items' } })
    expect(headerPrefix).to.equal('X-Acme-')
    expect(list).to.deep.equal({ ...defaultProfile.list, envelope: 'items' })
    expect(rest).to.deep.include({ limits: defaultProfile.limits, checks: defaultProfile.checks })
  })

  it('gives the names of headers and tokens', () => {
    expect(webhookHeaders({ headerPrefix: 'X-Acme-' }).eventId).to.equal('X-Acme-Event-Id')
    expect(tokensOf({ tokenPrefix: 'ACME' })[0]).to.equal('{ACME-signature-owner1}')
  })

  it('is refused with everything that is wrong, by name', () => {
    const written = {
      headerPrefix: 'X Acme',
      tokenprefix: 'ACME',
      list: { paging: 'pages', filters: ['state'], wrapper: 'items' },
      webhook: { timestampUnit: 'seconds' },
      refusals: { wrongKey: 400 },
    }
    expect(refused(written)).to.have.members([
      'headerPrefix: letters, digits and hyphens, as in a header',
      'webhook.timestampUnit: s or ms',
      'list.paging: "link", "none", or an object with a pageParameter',
      `list.filters[0]: one of ${FILTERS.join(', ')}`,
      'list.wrapper: there is no such value',
      'refusals.wrongKey: 401 or 403',
      'tokenprefix: there is no such value',
    ])
    expect(refused({ list: { filterNames: { externalDocId: 'status' } } })).to.deep.equal([
      'list.filterNames: another name for each filter',
    ])
    expect(refused({ list: { filterNames: { state: 'status' } } })).to.have.lengthOf(1)
    expect(refused([])).to.deep.equal(['profile: a JSON object'])
    expect(refused('{')).to.deep.equal(['it is not JSON'])
    expect(refused({ list: { paging: { pageParameter: 'a b' } } })[0]).to.match(/^list\.paging/)
    expect(refused({ basePath: '/partner/' })[0]).to.match(/^basePath: .*without a slash at its end/)
  })

  it('comes from a file', async () => {
    const file = join(aFolder(), 'acme.json')
    writeFileSync(file, '{ "tokenPrefix": "ACME" }')
    expect((await readProfile(file)).tokenPrefix).to.equal('ACME')
    const missing = await readProfile(`${file}.not`).catch((failure) => failure)
    expect(missing).to.be.instanceOf(ProfileError)
    expect(missing.errors).to.deep.equal(['the file cannot be read (ENOENT)'])
  })

  it('is parsed once for each object that a caller passes', () => {
    const written = { tokenPrefix: 'ACME' }
    expect(profileOf(written)).to.equal(profileOf(written))
    expect(profileOf(profileOf(written))).to.equal(profileOf(written))
    expect(profileOf(undefined)).to.equal(defaultProfile)
  })

  it('says of every value what it means, with examples that are right', () => {
    const all = valuesOf(HostProfile)
    expect(all).to.have.lengthOf.above(15)
    for (const [names, schema] of all) {
      const path = names.join('.')
      const doc = docs.get(schema)
      expect(doc, path).to.include.keys('title', 'description')
      expect(doc!.examples, path).not.to.be.empty
      for (const example of doc!.examples) expect(schema.safeParse(example).success, path).to.equal(true)
    }
  })
})
