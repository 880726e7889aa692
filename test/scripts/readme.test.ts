import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { regenerated } from '../../scripts/readme.ts'
import { SETTING_NAMES, variableOf } from '../../server/cli/settings/names.ts'

describe('README.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

  it('lists the endpoints of the contract; npm run docs writes them anew', () => {
    expect(regenerated(text)).to.equal(text)
  })

  it('would be found stale', () => {
    const stale = text.replace('/api/v1/documenttypes', '/api/v1/document-types')
    expect(stale).not.to.equal(text)
    expect(regenerated(stale)).to.equal(text)
  })

  it('must have a place for the endpoints', () => {
    expect(() => regenerated('# Countersign')).to.throw('no <!-- endpoints -->')
  })
})

describe('The guide to host profiles', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/guides/host-profile.md'), 'utf8')

  it('lists every value with its default; npm run docs writes them anew', () => {
    expect(regenerated(text, 'docs/guides/host-profile.md')).to.equal(text)
    expect(text).to.include('| `webhook.timestampUnit`')
  })
})

describe('The guide to settings', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/guides/settings.md'), 'utf8')

  it('lists every setting with its flag, its variable and its default; npm run docs writes them anew', () => {
    expect(regenerated(text, 'docs/guides/settings.md')).to.equal(text)
    expect(text).to.match(/`--master-key-file FILE` +\| `COUNTERSIGN_MASTER_KEY`/)
    for (const name of SETTING_NAMES) expect(text).to.include(`\`${variableOf(name)}\``)
  })
})
