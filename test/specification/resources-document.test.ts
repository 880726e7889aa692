/** spec: Resources › Task: document */
import { expect } from 'chai'
import { base64, ORDER, orderPdf } from '../support/pdf/order-pdf.ts'
import { accepts, refuses } from '../support/refuses.ts'
import { aCreateBody, daysFromToday, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const ATTACHMENT = 'a PDF encoded as Base64'
const DATE = 'a calendar date, YYYY-MM-DD'
const ID = 'a whole number from 1 to 2147483647'
const TEXT = 'text of 1 to 255 characters'

const withTemplate = (templateId: number, more: object = {}) =>
  aCreateBody({ document: { annotations: { type: 'Template', templateId }, ...more } })

describe('Resources › Task: document', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  refuses(
    () => service,
    [
      { rule: 'document is one of three required objects', path: 'document', error: 'document: required; an object' },
      {
        rule: 'attachment: required',
        path: 'document.attachment',
        error: `document.attachment: required; ${ATTACHMENT}`,
      },
      {
        rule: 'attachment: string',
        path: 'document.attachment',
        value: [1],
        error: `document.attachment: ${ATTACHMENT}`,
      },
      {
        rule: 'attachment: not empty',
        path: 'document.attachment',
        value: '',
        error: `document.attachment: ${ATTACHMENT}`,
      },
      {
        rule: 'attachment: invalid Base64 is rejected',
        path: 'document.attachment',
        value: `${ORDER.slice(0, 100)}*${ORDER.slice(101)}`,
        error: 'document.attachment: not Base64',
      },
      {
        rule: 'attachment: a data URL is not Base64',
        path: 'document.attachment',
        value: `data:application/pdf;base64,${ORDER}`,
        error: 'document.attachment: not Base64',
      },
      {
        rule: 'attachment: a non-PDF is rejected',
        path: 'document.attachment',
        value: base64(Buffer.from('PK\u0003\u0004 a word processor document')),
        error: 'document.attachment: not a PDF',
      },
      {
        rule: 'attachment: a PDF that parses, not just its first bytes (choice: What counts as a PDF)',
        path: 'document.attachment',
        value: base64(Buffer.from('%PDF-1.7\nnothing more')),
        error: 'document.attachment: ',
      },
      {
        rule: 'attachment: cut in the middle',
        path: 'document.attachment',
        value: base64(Buffer.from(ORDER, 'base64').subarray(0, 400)),
        error: 'document.attachment: ',
      },
      {
        rule: 'effectiveDate: required',
        path: 'document.effectiveDate',
        error: `document.effectiveDate: required; ${DATE}`,
      },
      {
        rule: 'effectiveDate: YYYY-MM-DD',
        path: 'document.effectiveDate',
        value: '1/15/2026',
        error: `document.effectiveDate: ${DATE}`,
      },
      {
        rule: 'effectiveDate: a real date',
        path: 'document.effectiveDate',
        value: '2026-02-30',
        error: `document.effectiveDate: ${DATE}`,
      },
      ...[-31, 2].map((days) => ({
        rule: `effectiveDate: outside the certification window is rejected (${days} days)`,
        path: 'document.effectiveDate',
        value: daysFromToday(days),
        body: withTemplate(TEMPLATE.verbalOrder),
        error: 'document.effectiveDate: outside the certification window of the template (Order date from ',
      })),
      {
        rule: 'documentTypeId: required',
        path: 'document.documentTypeId',
        error: `document.documentTypeId: required; ${ID}`,
      },
      {
        rule: 'documentTypeId: integer',
        path: 'document.documentTypeId',
        value: '104',
        error: `document.documentTypeId: ${ID}`,
      },
      {
        rule: 'documentTypeId: whole',
        path: 'document.documentTypeId',
        value: 104.5,
        error: `document.documentTypeId: ${ID}`,
      },
      {
        rule: 'documentTypeId: an id from the document types read',
        path: 'document.documentTypeId',
        value: 9999,
        error: 'document.documentTypeId: unknown; GET /api/v1/documenttypes lists the known ones',
      },
      {
        rule: 'documentTypeId: an absurd one',
        path: 'document.documentTypeId',
        value: 1e21,
        error: `document.documentTypeId: ${ID}`,
      },
      {
        rule: 'externalDocId: required',
        path: 'document.externalDocId',
        error: `document.externalDocId: required; ${TEXT}`,
      },
      {
        rule: 'externalDocId: not empty',
        path: 'document.externalDocId',
        value: '',
        error: `document.externalDocId: ${TEXT}`,
      },
      {
        rule: 'diagnosisCode: required when the template requires it',
        path: 'document.diagnosisCode',
        body: withTemplate(TEMPLATE.certification),
        error: `document.diagnosisCode: required by template ${TEMPLATE.certification}`,
      },
      {
        rule: 'diagnosisCode: null is no code',
        path: 'document.diagnosisCode',
        value: null,
        body: withTemplate(TEMPLATE.certification),
        error: `document.diagnosisCode: required by template ${TEMPLATE.certification}`,
      },
      {
        rule: 'diagnosisCode: string',
        path: 'document.diagnosisCode',
        value: 50.9,
        error: 'document.diagnosisCode: text of up to 32 characters',
      },
      ...['', ' '].map((value) => ({
        rule: `diagnosisCode: empty text is no code (${JSON.stringify(value)})`,
        path: 'document.diagnosisCode',
        value,
        body: withTemplate(TEMPLATE.certification),
        error: `document.diagnosisCode: required by template ${TEMPLATE.certification}`,
      })),
      {
        rule: 'diagnosisCode: one error when it is required and of a wrong type',
        path: 'document.diagnosisCode',
        value: 50.9,
        body: withTemplate(TEMPLATE.certification),
        error: 'document.diagnosisCode: text of up to 32 characters',
      },
      {
        rule: 'diagnosisCode: also when the template is named beside another placement',
        path: 'document.annotations',
        value: { type: 'SmartAnnotations', templateId: TEMPLATE.certification },
        error: `document.diagnosisCode: required by template ${TEMPLATE.certification}`,
      },
      {
        rule: 'the certification window holds also for another placement',
        path: 'document.effectiveDate',
        value: daysFromToday(-40),
        body: aCreateBody({
          document: { annotations: { type: 'SmartAnnotations', templateId: TEMPLATE.verbalOrder } },
        }),
        error: 'document.effectiveDate: outside the certification window',
      },
    ],
  )

  accepts(
    () => service,
    [
      {
        rule: 'Base64 in lines of 76 (choice: Base64 in lines)',
        path: 'document.attachment',
        value: ORDER.replace(/.{76}/g, '$&\r\n'),
      },
      {
        rule: '%PDF- within the first 1,024 bytes (choice: What counts as a PDF)',
        path: 'document.attachment',
        value: base64(Buffer.concat([Buffer.from('\ufeff\r\n'), Buffer.from(ORDER, 'base64')])),
      },
      {
        rule: 'without a template there is no window (choice: Certification window)',
        path: 'document.effectiveDate',
        value: '1999-12-31',
      },
      ...[-30, 0].map((days) => ({
        rule: `effectiveDate: the window's edge (${days} days)`,
        path: 'document.effectiveDate',
        value: daysFromToday(days),
        body: withTemplate(TEMPLATE.verbalOrder),
      })),
      {
        rule: 'diagnosisCode: given to a template that requires it',
        path: 'document.diagnosisCode',
        value: 'I50.9',
        body: withTemplate(TEMPLATE.certification),
      },
      {
        rule: 'diagnosisCode: empty, without a template that requires it',
        path: 'document.diagnosisCode',
        value: '',
      },
      {
        rule: 'templateId directly on document is ignored (choice: Unknown body fields)',
        path: 'document.templateId',
        value: TEMPLATE.certification,
      },
    ],
  )

  it('externalDocId is returned on later reads and is a filter of the list; it is not unique (choice: Repeated external document ids)', async () => {
    const body = aCreateBody({ document: { externalDocId: 'EHR|á 1,2&3' } })
    const ids = [await service.create(body), await service.create(body)]
    const { client } = service
    expect((await client.readTask({ params: { id: ids[0]! } })).externalDocId).to.equal('EHR|á 1,2&3')
    const found = await client.listTasks({ query: { externalDocId: 'EHR|á 1,2&3' } })
    expect(found.map(({ taskId }) => taskId)).to.deep.equal([ids[1], ids[0]])
    expect(await client.listTasks({ query: { externalDocId: 'ehr|á 1,2&3' } })).to.deep.equal([])
  })

  it('templateId belongs on document.annotations: directly on document it is an error that says so', async () => {
    const { document, ...rest } = aCreateBody()
    const body = { ...rest, document: { ...document, templateId: 204, annotations: { type: 'Template' } } }
    const { status, errors } = await service.ask('POST', '/api/v1/signature/tasks', { body })
    expect({ status, errors }).to.deep.equal({
      status: 400,
      errors: [
        `document.annotations.templateId: required; ${ID} (templateId belongs on document.annotations, not on document)`,
      ],
    })
  })

  it('at most 500 pages (choice: Number of pages)', async () => {
    const body = aCreateBody({ document: { attachment: base64(await orderPdf({ pages: 501 })) } })
    const { status, errors } = await service.ask('POST', '/api/v1/signature/tasks', { body })
    expect({ status, errors }).to.deep.equal({
      status: 400,
      errors: ['document.attachment: has 501 pages; at most 500 are accepted'],
    })
  })
})
