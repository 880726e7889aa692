/** The rules of a create that need the catalog and the date. spec: Errors */
import { expect } from 'chai'
import {
  brokenRules,
  type Catalog,
  type Readable,
  type TemplateRules,
  unstampableValues,
} from '../../../server/domain/task/rules.ts'

const TODAY = '2026-03-01'
const sent = (change: Partial<Readable> = {}): Readable => ({
  birthDate: '1948-03-12',
  effectiveDate: TODAY,
  documentTypeId: 104,
  templateId: null,
  hasDiagnosisCode: false,
  ...change,
})
const template = (change: Partial<TemplateRules> = {}): TemplateRules => ({
  diagnosisCodeRequired: false,
  clinicalDateLabel: 'Order date',
  daysBefore: 30,
  daysAfter: 5,
  ...change,
})
const catalog = (change: Partial<Catalog> = {}): Catalog => ({ documentTypeIsKnown: true, template: null, ...change })
const broken = (readable: Partial<Readable>, known: Partial<Catalog> = {}) =>
  brokenRules(sent(readable), catalog(known), TODAY)

describe('Rules of a create', () => {
  it('nothing is wrong with a right one', () => {
    expect(broken({})).to.deep.equal([])
  })

  it('a birth date in the future; today is none', () => {
    expect(broken({ birthDate: '2026-03-02' })).to.deep.equal(['patient.birthDate: must not be in the future'])
    expect(broken({ birthDate: TODAY })).to.deep.equal([])
  })

  it('a template that is not known, and a date that cannot be read, which another rule refuses', () => {
    expect(broken({ templateId: 204 })).to.deep.equal([
      'document.annotations.templateId: unknown; GET /api/v1/signature/templates lists the known ones',
    ])
    expect(broken({ templateId: 204, effectiveDate: null, birthDate: null }, { template: template() })).to.deep.equal(
      [],
    )
  })

  // Over the end of February, so that days are counted and not months.
  for (const [date, isRight] of [
    ['2026-01-29', false],
    ['2026-01-30', true],
    ['2026-03-06', true],
    ['2026-03-07', false],
  ] as const)
    it(`the certification window of 30 days before and 5 after: ${date} is ${isRight ? 'inside' : 'outside'}`, () => {
      const errors = broken({ effectiveDate: date, templateId: 204 }, { template: template() })
      const sentence =
        'document.effectiveDate: outside the certification window of the template (Order date from 2026-01-30 to 2026-03-06)'
      expect(errors).to.deep.equal(isRight ? [] : [sentence])
    })

  it('a window may be open on either side', () => {
    const open = (change: Partial<TemplateRules>, effectiveDate: string) =>
      broken({ effectiveDate, templateId: 204 }, { template: template(change) })
    expect(open({ daysBefore: null }, '1999-01-01')).to.deep.equal([])
    expect(open({ daysAfter: null }, '2999-01-01')).to.deep.equal([])
    expect(open({ daysBefore: null }, '2999-01-01')[0]).to.match(/\(Order date to 2026-03-06\)$/)
    expect(open({ daysAfter: null }, '1999-01-01')[0]).to.match(/\(Order date from 2026-01-30\)$/)
  })

  it('without a template there is no window', () => {
    expect(broken({ effectiveDate: '1999-01-01' })).to.deep.equal([])
  })

  it('a diagnosis code that the template requires', () => {
    const required = { template: template({ diagnosisCodeRequired: true }) }
    expect(broken({ templateId: 201 }, required)).to.deep.equal(['document.diagnosisCode: required by template 201'])
    expect(broken({ templateId: 201, hasDiagnosisCode: true }, required)).to.deep.equal([])
  })

  it('all at once, in the order of the request', () => {
    const errors = broken(
      { birthDate: '2999-01-01', effectiveDate: '1999-01-01', templateId: 201, documentTypeId: 9 },
      { documentTypeIsKnown: false, template: template({ diagnosisCodeRequired: true }) },
    )
    expect(errors.map((error) => error.split(':')[0])).to.deep.equal([
      'patient.birthDate',
      'document.effectiveDate',
      'document.documentTypeId',
      'document.diagnosisCode',
    ])
  })

  it('what could not be read has its error elsewhere', () => {
    const nothing = {
      birthDate: null,
      effectiveDate: null,
      documentTypeId: null,
      templateId: null,
      hasDiagnosisCode: false,
    }
    expect(brokenRules(nothing, { documentTypeIsKnown: false, template: null }, TODAY)).to.deep.equal([])
  })
})

describe('texts of a template', () => {
  it('that no font can write are refused with the task that uses it, as its own texts are', () => {
    const covered = [0x20, 0x7e]
    const template = { fields: [{ value: 'Weekly' }, { value: null }, { value: 'Ж' }] }
    expect(unstampableValues({ values: ['Daily', null] }, null, covered)).to.deep.equal([])
    const [own, ofTemplate, ...more] = unstampableValues({ values: ['Daily', 'Я'] }, template, covered)
    expect(own).to.match(/^document\.annotations\.data\[1\]\.value: text without ‘Я’/)
    expect(ofTemplate).to.match(/^document\.annotations\.templateId: .*without ‘Ж’ .*ask its administrator/)
    expect(more).to.deep.equal([])
  })
})
