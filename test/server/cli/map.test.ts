import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { makePipe } from '../../support/a-pipe.ts'
import { called } from '../../support/commands/called.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { anIndex, asJson } from '../../support/hl7/an-index.ts'
import { anOrder } from '../../support/hl7/an-order.ts'
import { countersign } from '../../support/service/served.ts'

describe('countersign map', () => {
  const folder = aFolder()
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const map = file('map.json', JSON.stringify({ documentTypes: { CMS485: { documentTypeId: 101 } } }))
  const message = file('order.hl7', anOrder())

  it('prints the request that a message becomes', async () => {
    const { code, stdout, stderr } = await countersign(['map', '--from', 'hl7', '--map', map, message])
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).to.deep.include({ ok: true, action: 'create' })
    expect(JSON.parse(stdout).body.patient.externalId).to.equal('WILLOW|WC100098')
  })

  it('takes a batch apart, and prints what becomes of each of its messages', async () => {
    const order = Buffer.from(anOrder()).toString()
    const unknown = order.replace('CMS485', 'OTHER')
    const batch = (count: number) => file(`${count}.hl7`, `BHS|^~\\&|A\r${order}\r${unknown}\rBTS|${count}\r`)
    const { code, stdout } = await called(['map', '--from', 'hl7', '--map', map, batch(2)])
    const said = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, said.length, said[0].action, said[1].ok]).to.deep.equal([1, 2, 'create', false])
    const one = file('one.hl7', `\r\nFHS|^~\\&\nBHS|^~\\&\n${order.replaceAll('\r', '\n')}\nBTS|1\nFTS|1\n\n`)
    const whole = await called(['map', '--from', 'hl7', '--map', map, one])
    expect([whole.code, JSON.parse(whole.stdout).action]).to.deep.equal([0, 'create'])
    const wrong = await called(['map', '--from', 'hl7', '--map', map, batch(3)])
    expect([wrong.code, JSON.parse(wrong.stdout)]).to.deep.equal([
      1,
      { ok: false, held: ['BTS-1 says that the batch has 3 messages; it has 2.'] },
    ])
  })

  it('reads standard input, and prints why a message is held', async () => {
    const { code, stdout } = await countersign(['map', '--from', 'hl7', '-'], {}, Buffer.from(anOrder()).toString())
    expect({ code, said: JSON.parse(stdout) }).to.deep.equal({
      code: 1,
      said: { ok: false, held: ['TXA-2: the code "CMS485" is not in documentTypes of the map'] },
    })
  })

  it('reads FHIR, and holds what is not JSON', async () => {
    const bundle = file('bundle.json', JSON.stringify(aBundle(document, patient, practitioner)))
    const answers = await Promise.all([bundle, message].map((one) => called(['map', '--from', 'fhir', one])))
    expect(answers.map(({ code, stdout }) => ({ code, ...JSON.parse(stdout) }))).to.deep.equal([
      {
        code: 1,
        ok: false,
        held: ['DocumentReference.type: none of the codes "52030-8" is in documentTypes of the map'],
      },
      { code: 1, ok: false, held: ['resourceType: the message is not JSON'] },
    ])
  })

  it('reads an index and the PDF beside it', async () => {
    const index = file('order 7.json', asJson(anIndex()))
    const without = await called(['map', '--from', 'files', '--map', map, index])
    expect(JSON.parse(without.stdout)).to.deep.equal({ ok: false, held: ['PDF: there is none'] })
    file('Order 7.PDF', '%PDF-1.7\n%%EOF')
    const { code, stdout } = await called(['map', '--from', 'files', '--map', map, index])
    expect({ code, ...JSON.parse(stdout) }).to.include({ code: 0, ok: true, action: 'create' })
    const unknown = await called(['map', '--from', 'files', message])
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      2,
      'countersign: --from files: name the index, a file that ends with .json or .csv\n',
    ])
  })

  it('follows no link in the place of the PDF, and waits for no pipe', async () => {
    const index = file('linked.json', asJson(anIndex()))
    symlinkSync(file('elsewhere', '%PDF-1.7\n%%EOF'), join(dirname(index), 'linked.pdf'))
    const { code, stderr } = await called(['map', '--from', 'files', '--map', map, index])
    expect([code, stderr]).to.deep.equal([2, 'countersign: the PDF: this file cannot be read (EFTYPE).\n'])
    rmSync(join(dirname(index), 'linked.pdf'))
    makePipe(join(dirname(index), 'linked.pdf'))
    const pipe = await called(['map', '--from', 'files', '--map', map, index])
    expect(pipe.stderr).to.equal(stderr)
  })

  it('says where the fields come from when it is asked', async () => {
    const args = ['map', '--from', 'hl7', '--map', map, message]
    const [plain, explained] = await Promise.all([countersign(args), called([...args, '--explain'])])
    expect(JSON.parse(plain.stdout)).to.have.keys('ok', 'action', 'body', 'warnings')
    expect(JSON.parse(explained.stdout).origins).to.include({ 'patient.birthDate': 'PID-7' })
  })

  it('takes tables from CSV files', async () => {
    const types = file('types.csv', 'code;documentTypeId;templateId\r\nCMS485;101;7\r\n')
    const organizations = file('organizations.csv', 'facility,orgNPI\nLAKE,9999901017\n')
    const tables = ['--table', `documentTypes=${types}`, '--table', `organizations=${organizations}`]
    const { code, stdout, stderr } = await called(['map', '--from', 'hl7', ...tables, message])
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const { body } = JSON.parse(stdout)
    expect(body.performers[0].organization).to.deep.equal({ orgNPI: '9999901017' })
    expect(body.document).to.deep.include({
      documentTypeId: 101,
      annotations: { type: 'SmartAnnotations', templateId: 7 },
    })
  })

  const badTypes = file('bad.csv', 'code,documentTypeId\nCMS485,Rowan\n,7\n')
  const wrong: [fault: string, args: string[], says: string][] = [
    ['another kind', ['--from', 'cda', message], '--from: one of hl7, fhir'],
    ['no kind', [message], '--from is required'],
    [
      'a table that is unknown',
      ['--from', 'hl7', '--table', `types=${map}`, message],
      '--table: NAME=FILE, where NAME is one of documentTypes, organizations, signers',
    ],
    [
      'a table given twice',
      ['--from', 'hl7', '--table', `signers=${map}`, '--table', `signers=${map}`, message],
      '--table: one file for each table',
    ],
    [
      'a table with mistakes',
      ['--from', 'hl7', '--table', `documentTypes=${badTypes}`, message],
      '--table documentTypes: line 2, documentTypeId: a whole number from 1 to 2147483647; line 3, code: required; text',
    ],
    [
      'a file that is not there',
      ['--from', 'hl7', join(folder, 'none')],
      'the message: this file cannot be read (ENOENT).',
    ],
    ['a map that is no JSON', ['--from', 'hl7', '--map', message, message], '--map: this file is not JSON.'],
    [
      'a map with mistakes',
      ['--from', 'hl7', '--map', file('wrong.json', '{"ssn":"all","pdfs":"first"}'), message],
      '--map: ssn: one of never, last4, full; pdfs: there is no such setting',
    ],
  ]
  for (const [fault, args, says] of wrong)
    it(`is refused with ${fault}`, async () => {
      const { code, stdout, stderr } = await called(['map', ...args])
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' })
      expect(stderr).to.contain(says)
    })
})
