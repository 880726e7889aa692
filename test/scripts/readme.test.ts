import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { documents, regenerated } from '../../scripts/readme.ts'
import { SETTING_NAMES, variableOf } from '../../server/cli/settings/names.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('The generated parts of the documents', () => {
  for (const file of Object.keys(documents) as (keyof typeof documents)[])
    it(`of ${file} are up to date; npm run docs writes them`, () => {
      expect(regenerated(read(file), file)).to.equal(read(file))
    })

  it('would be found stale', () => {
    const text = read('docs/guides/quickstart.md')
    const stale = text.replace('/api/v1/documenttypes', '/api/v1/document-types')
    expect(stale).not.to.equal(text)
    expect(regenerated(stale, 'docs/guides/quickstart.md')).to.equal(text)
  })

  it('must have a place', () => {
    expect(() => regenerated('# Countersign', 'docs/guides/quickstart.md')).to.throw('no <!-- endpoints -->')
  })

  it('list every value of a profile with its default', () => {
    expect(read('docs/guides/host-profile.md')).to.include('| `webhook.timestampUnit`')
  })
})

describe('README.md', () => {
  it('has at most 150 lines', () => {
    expect(read('README.md').split('\n').length).to.be.at.most(151)
  })

  it('begins with the commands that start and test a clone', () => {
    expect(read('README.md')).to.match(
      /^# Countersign\n\n```sh\nnpm install && npm start .*\nnpm install && npm test .*\n```\n/,
    )
  })
})

describe('The guide to settings', () => {
  const text = read('docs/guides/settings.md')

  it('lists every setting with its flag, its variable and its default', () => {
    expect(text).to.match(/`--master-key-file FILE` +\| `COUNTERSIGN_MASTER_KEY`/)
    for (const name of SETTING_NAMES) expect(text).to.include(`\`${variableOf(name)}\``)
  })
})
