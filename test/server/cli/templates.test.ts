/** The templates of a service that runs, made, looked at, changed and retired by commands. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { countersign } from '../../support/service/served.ts'

const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
const field = { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }
const text = { ...field, type: 'TextArea', required: false, top: 500, bottom: 540, value: 'As ordered.' }

describe('countersign templates', function () {
  this.timeout(60_000)
  const data = aFolder()
  const fields = join(data, 'fields.json')
  const whose = ['--organization', 'Willow Creek']

  const command = (...args: string[]) => called([...args, '--data', data, '--json'], env)
  async function done<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await command(...args)
    expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(...args)
    expect(stdout).to.equal('')
    return [code, stderr.replace('countersign: ', '').trim()]
  }
  const audited = async (): Promise<string[]> => {
    const { stdout } = await called(['audit', 'export', '--data', data], env)
    return [...stdout.matchAll(/"action":"((?:template|document-type)\.[^"]+)"/g)].map(([, action]) => action!)
  }

  before(async () => {
    await done('organizations', 'create', '--name', 'Willow Creek')
    await done('organizations', 'create', '--name', 'Harbor')
    await done('document-types', 'create', '--name', 'Order', '--category', 'Orders')
    writeFileSync(fields, JSON.stringify([field, text]))
  })

  it('shows a template so that its fields can be changed and given back', async () => {
    const rules = ['--diagnosis-code', 'required', '--days-before', '30', '--days-after', '0']
    const about = ['--summary', 'Order', '--clinical-date-label', 'Order date', '--fields', fields]
    const create = ['templates', 'create', ...whose, ...about, ...rules, '--data', data, '--json']
    const made = JSON.parse((await countersign(create, env)).stdout) as { templateId: number }
    const id = String(made.templateId)
    const shown = await done<{ fields: object[] }>('templates', 'show', id, ...whose)
    expect(shown).to.include({ summary: 'Order', diagnosisCodeRequired: true, daysBefore: 30, daysAfter: 0 })
    expect(shown.fields).to.deep.equal([field, text])

    writeFileSync(fields, JSON.stringify(shown.fields.map((known) => ({ ...known, left: 80 }))))
    await done('templates', 'update', id, ...whose, '--fields', fields)
    const moved = await done<{ fields: object[] }>('templates', 'show', id, ...whose)
    expect(moved.fields).to.deep.equal([
      { ...field, left: 80 },
      { ...text, left: 80 },
    ])
    expect(moved, 'what was not given stays').to.include({ summary: 'Order', daysBefore: 30, daysAfter: 0 })
    expect(shown).to.include({ pdfRequired: true })
    const otherwise = ['--pdf-required', 'no', '--signature-rule', 'notNeeded', '--cover-tokens', 'no']
    expect(await done('templates', 'update', id, ...whose, ...otherwise)).to.include({
      pdfRequired: false,
      signatureRule: 'notNeeded',
      coversTokens: false,
    })
    const open = ['--days-before', 'open', '--diagnosis-code', 'none', '--summary', 'Verbal order']
    const follows = ['--signature-rule', 'organization', '--cover-tokens', 'organization']
    expect(await done('templates', 'update', id, ...whose, ...open, ...follows)).to.include({
      signatureRule: null,
      coversTokens: null,
      summary: 'Verbal order',
      clinicalDateLabel: 'Order date',
      daysBefore: null,
      daysAfter: 0,
      pdfRequired: false,
      fields: 2,
      diagnosisCodeAllowed: false,
      diagnosisCodeRequired: false,
    })

    expect(await refused('templates', 'retire', id, '--organization', 'Harbor')).to.deep.equal([
      2,
      `There is no template ${id}, or it is retired.`,
    ])
    expect(await done('templates', 'retire', id, ...whose)).to.include({ retired: true })
    expect(await done('templates', 'list', ...whose)).to.deep.equal([])
    expect((await refused('templates', 'retire', id, ...whose))[0]).to.equal(2)
    expect(await audited()).to.deep.equal([
      'document-type.create',
      'template.create',
      'template.update',
      'template.update',
      'template.update',
      'template.retire',
    ])
  })

  it('says what is wrong with a call', async () => {
    const { templateId } = await done<{ templateId: number }>(
      'templates',
      'create',
      ...whose,
      '--summary',
      'Order',
      '--clinical-date-label',
      'Date',
      '--fields',
      fields,
    )
    const id = String(templateId)
    expect((await refused('templates', 'update', id, ...whose))[1]).to.match(/^body: at least one of summary, /)
    expect(await refused('templates', 'update', '1', ...whose, '--days-after', 'ten')).to.deep.equal([
      2,
      '--days-after: a whole number of days, or open',
    ])
    expect(await refused('templates', 'update', '1', ...whose, '--pdf-required', 'maybe')).to.deep.equal([
      2,
      '--pdf-required: yes or no',
    ])
    expect(await refused('templates', 'create', ...whose)).to.deep.equal([
      2,
      '--summary is required. --help lists the options.',
    ])
    expect((await refused('templates', 'show', 'one', ...whose))[1]).to.equal('id: a whole number from 1 to 2147483647')
  })
})
