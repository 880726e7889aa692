/** A create is read once: as the interface says it, or, when its shape is wrong, as far as it can be read. */
import { expect } from 'chai'
import fc from 'fast-check'
import { MAX_ANNOTATIONS } from '../../../lib/contract/task/document.ts'
import { draftOf, readDraft } from '../../../lib/contract/task/draft-task.ts'
import { CreateTask } from '../../../lib/contract/task/task.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'

const NOTHING = {
  birthDate: null,
  effectiveDate: null,
  documentTypeId: null,
  templateId: null,
  hasDiagnosisCode: false,
  attachment: null,
  places: [],
  values: [],
}

describe('The draft of a create', () => {
  const place = { pageNumber: 3, left: 1, top: 2, right: 30, bottom: 40 }
  for (const [kind, document] of Object.entries({
    Json: {},
    'Json with a template': {
      diagnosisCode: 'I50.9',
      annotations: { type: 'Json', templateId: 204, data: [{ type: 'CheckBox', ...place }] },
    },
    Template: { annotations: { type: 'Template', templateId: 204 } },
    SmartAnnotations: { annotations: { type: 'SmartAnnotations', templateId: null }, diagnosisCode: null },
    ReferenceText: {
      annotations: {
        type: 'ReferenceText',
        data: [{ type: 'CheckBox', referenceText: 'x', offsetX: 0, offsetY: 0 }],
      },
    },
  }))
    it(`is the same for a valid body, parsed or not: ${kind}`, () => {
      const right = aCreateBody()
      const sent = { ...right, document: { ...right.document, ...document } }
      const { places, ...draft } = readDraft(sent)
      const { places: trusted, ...parsed } = draftOf(CreateTask.parse(sent))
      expect(draft).to.deep.equal(parsed)
      expect(
        trusted.map(({ pageNumber, left, top, right, bottom }) => ({ pageNumber, left, top, right, bottom })),
      ).to.deep.equal(places)
    })

  it('holds what can be read beside what is wrong', () => {
    const sent = {
      patient: { birthDate: '1948-02-30' },
      document: {
        attachment: 'JVBERi0=',
        effectiveDate: '2026-03-02',
        documentTypeId: '104',
        diagnosisCode: 50.9,
        annotations: {
          type: 'Json',
          templateId: 204,
          data: [{ ...place, type: 'Nothing', value: 'As discussed' }, { left: 'x' }],
        },
      },
    }
    expect(readDraft(sent)).to.deep.equal({
      birthDate: null,
      effectiveDate: '2026-03-02',
      documentTypeId: null,
      templateId: 204,
      hasDiagnosisCode: true,
      attachment: 'JVBERi0=',
      places: [place, { pageNumber: 1, left: 0, top: 0, right: 0, bottom: 0 }],
      values: ['As discussed', null],
    })
  })

  it('reads no more places than a document may have', () => {
    const data = Array.from({ length: MAX_ANNOTATIONS + 1 }, () => place)
    const { places } = readDraft({ document: { annotations: { type: 'Json', data } } })
    expect(places).to.have.length(MAX_ANNOTATIONS)
  })

  it('is empty for a body that is not a create, and never throws', () => {
    for (const body of [undefined, null, 7, 'patient', [], {}, { patient: [], document: 'x' }])
      expect(readDraft(body)).to.deep.equal(NOTHING)
    const names = fc.constantFrom('patient', 'document', 'annotations', 'data', 'type', 'attachment', 'x')
    const bodies = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.jsonValue(), fc.dictionary(names, tie('value')), fc.array(tie('value'))),
    })).value
    fc.assert(fc.property(bodies, (body) => Object.keys(readDraft(body)).length === Object.keys(NOTHING).length))
  })
})
