/** spec: Resources › Task: annotations */
import { expect } from 'chai'
import type { Annotations } from '../../lib/contract/task/document.ts'
import { base64, orderPdf, PHRASE, TOKENS } from '../support/pdf/order-pdf.ts'
import { accepts, refuses } from '../support/refuses.ts'
import { textOf } from '../support/seen/text-of.ts'
import { aCreateBody, SIGNER, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const KINDS = 'one of Template, Json, SmartAnnotations, ReferenceText'
const ID = 'a whole number from 1 to 2147483647'
const at = 'document.annotations'

const box = { pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }
const beside = { type: 'VisibleSignature', referenceText: PHRASE, offsetX: 110, offsetY: -8 }
const withAnnotations = (annotations: unknown) => aCreateBody({ document: { annotations: annotations as Annotations } })
const json = (change: object = {}) => withAnnotations({ type: 'Json', data: [{ type: 'TextArea', ...box, ...change }] })
const reference = (change: object = {}) => withAnnotations({ type: 'ReferenceText', data: [{ ...beside, ...change }] })

describe('Resources › Task: annotations', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  refuses(
    () => service,
    [
      { rule: 'annotations: required', path: at, error: `${at}: required; an object whose type is ${KINDS}` },
      { rule: 'annotations: object', path: at, value: [], error: `${at}: an object whose type is ${KINDS}` },
      { rule: 'type: required', path: `${at}.type`, error: `${at}.type: ${KINDS}` },
      { rule: 'type: enum', path: `${at}.type`, value: 'json', error: `${at}.type: ${KINDS}` },
      {
        rule: 'templateId: required when type is Template',
        path: at,
        value: { type: 'Template' },
        error: `${at}.templateId: required; ${ID}`,
      },
      {
        rule: 'templateId: integer',
        path: at,
        value: { type: 'Template', templateId: '204' },
        error: `${at}.templateId: ${ID}`,
      },
      ...['Template', 'Json', 'SmartAnnotations', 'ReferenceText'].map((type) => ({
        rule: `templateId: unknown is refused for ${type}`,
        path: `${at}.templateId`,
        value: 999,
        body: withAnnotations({ type, data: type === 'Json' ? [{ type: 'CheckBox', ...box }] : [beside] }),
        error: `${at}.templateId: unknown; GET /api/v1/signature/templates lists the known ones`,
      })),
      {
        rule: 'templateId: scoped to the organization on the key',
        path: at,
        value: { type: 'Template', templateId: TEMPLATE.ofAnotherOrganization },
        error: `${at}.templateId: unknown; `,
      },
      {
        rule: 'data: used by Json',
        path: `${at}.data`,
        error: `${at}.data: required; an array of at least one annotation`,
      },
      { rule: 'data: not empty', path: `${at}.data`, value: [], error: `${at}.data: at least one annotation` },
      { rule: 'data: used by ReferenceText', path: `${at}.data`, body: reference(), error: `${at}.data: required; ` },
      {
        rule: 'data[].type: required',
        path: `${at}.data[0].type`,
        error: `${at}.data[0].type: required; one of VisibleSignature`,
      },
      {
        rule: 'data[].type: enum',
        path: `${at}.data[0].type`,
        value: 'Initials',
        error: `${at}.data[0].type: one of VisibleSignature`,
      },
      {
        rule: 'data[].value: string',
        path: `${at}.data[0].value`,
        value: 5,
        body: json(),
        error: `${at}.data[0].value: text`,
      },
      ...[0, 2, '1'].map((performer) => ({
        rule: `data[].performer: 1 (${performer})`,
        path: `${at}.data[0].performer`,
        value: performer,
        error: `${at}.data[0].performer: 1, the index of the only performer`,
      })),
      {
        rule: 'data[].required: boolean',
        path: `${at}.data[0].required`,
        value: 'true',
        error: `${at}.data[0].required: true or false`,
      },
      {
        rule: 'pageNumber: required by Json',
        path: `${at}.data[0].pageNumber`,
        error: `${at}.data[0].pageNumber: required; ${ID}`,
      },
      {
        rule: 'pageNumber: starts at 1',
        path: `${at}.data[0].pageNumber`,
        value: 0,
        error: `${at}.data[0].pageNumber: ${ID}`,
      },
      {
        rule: 'pageNumber beyond the document (choice: Pages beyond the document)',
        path: `${at}.data[1].pageNumber`,
        value: 2,
        error: `${at}.data[1].pageNumber: the document has 1 page`,
      },
      ...['left', 'top', 'right', 'bottom'].flatMap((edge) => [
        {
          rule: `${edge}: required by Json`,
          path: `${at}.data[0].${edge}`,
          error: `${at}.data[0].${edge}: required; a number`,
        },
        {
          rule: `${edge}: number`,
          path: `${at}.data[0].${edge}`,
          value: '72',
          error: `${at}.data[0].${edge}: a number`,
        },
      ]),
      {
        rule: 'left < right (choice: Coordinates)',
        path: `${at}.data[0].right`,
        value: 72,
        error: `${at}.data[0].right: greater than left`,
      },
      {
        rule: 'top < bottom (choice: Coordinates)',
        path: `${at}.data[0].bottom`,
        value: 9,
        error: `${at}.data[0].bottom: greater than top`,
      },
      {
        rule: 'inside the page (choice: Coordinates)',
        path: `${at}.data[0].right`,
        value: 700,
        error: `${at}.data[0].right: outside page 1, which is 612 × 792 points`,
      },
      ...['referenceText', 'offsetX', 'offsetY'].map((name) => ({
        rule: `${name}: required on each item of ReferenceText`,
        path: `${at}.data[0].${name}`,
        body: reference(),
        error: `${at}.data[0].${name}: required; `,
      })),
    ],
  )
  accepts(
    () => service,
    [
      { rule: 'required: false when left out', path: `${at}.data[0].required` },
      { rule: 'performer: 1', path: `${at}.data[0].performer`, value: 1 },
      { rule: 'offsetX, offsetY: can be negative', path: `${at}.data[0].offsetX`, value: -30.5, body: reference() },
      {
        rule: 'value is for TextArea; on another field it is ignored',
        path: `${at}.data[0].value`,
        value: 'x',
        body: json(),
      },
      { rule: 'data beside SmartAnnotations is ignored', path: at, value: { type: 'SmartAnnotations', data: 'x' } },
      ...['Json', 'SmartAnnotations', 'ReferenceText'].map((type) => ({
        rule: `templateId: may also be sent for ${type}`,
        path: `${at}.templateId`,
        value: TEMPLATE.verbalOrder,
        body: withAnnotations({ type, data: type === 'Json' ? [{ type: 'CheckBox', ...box }] : [beside] }),
      })),
    ],
  )

  it('all errors of all items at once, also of their places', async () => {
    const data = [
      { type: 'TextArea', ...box, required: 'yes', right: 700 },
      { type: 'CheckBox', ...box, pageNumber: 3 },
      7,
    ]
    const { errors } = await service.ask('POST', '/api/v1/signature/tasks', {
      body: withAnnotations({ type: 'Json', data }),
    })
    expect(errors).to.deep.equal([
      `${at}.data[0].required: true or false`,
      `${at}.data[2]: an object`,
      `${at}.data[0].right: outside page 1, which is 612 × 792 points`,
      `${at}.data[1].pageNumber: the document has 1 page`,
    ])
  })

  async function signedText(annotations: Annotations): Promise<string> {
    const taskId = await service.create(withAnnotations(annotations))
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const query = { includeOutputAttachment: true }
    return textOf((await service.client.readTask({ params: { id: taskId }, query })).output!.attachment!)
  }
  const firstPage = (text: string) => text.split('\f')[0]
  const today = new RegExp(`${new Date().getUTCFullYear()}`)

  it('Json › VisibleSignature is stamped, DateSigned is filled with the signature date, TextArea is pre-filled', async () => {
    const low = { ...box, top: 660, bottom: 700 }
    const page = firstPage(
      await signedText({
        type: 'Json',
        data: [
          { type: 'VisibleSignature', ...box },
          { type: 'DateSigned', ...box, left: 300, right: 400 },
          { type: 'TextArea', ...low, value: 'As discussed' },
        ],
      }),
    )
    expect(page).to.include('Ruth Calder').and.to.include('As discussed').and.to.match(today)
  })

  it('Template › the annotations of the named template are applied', async () => {
    expect(firstPage(await signedText({ type: 'Template', templateId: TEMPLATE.verbalOrder }))).to.include(
      'Ruth Calder',
    )
  })

  it('SmartAnnotations › the matching field stands at each token , on every page (choice: Several tokens)', async () => {
    const page = firstPage(await signedText({ type: 'SmartAnnotations' }))
    expect(page).to.include('Ruth Calder').and.to.match(today)
  })

  it('ReferenceText › the annotation stands relative to the text', async () => {
    const data = [{ ...beside, type: 'VisibleSignature' as const }]
    expect(firstPage(await signedText({ type: 'ReferenceText', data }))).to.include('Ruth Calder')
  })

  for (const [name, annotations, reason] of [
    [
      'no token',
      { type: 'SmartAnnotations' },
      `document.annotations: none of the tokens ${TOKENS.join(', ')} was found`,
    ],
    [
      'referenceText not found; the second item is named and its text is not repeated',
      {
        type: 'ReferenceText',
        data: [
          { ...beside, referenceText: 'Order' },
          { ...beside, referenceText: 'Ann Stone' },
        ],
      },
      `${at}.data[1].referenceText was not found`,
    ],
  ] as const)
    it(`${name}: the task fails (choice: Text that is not found)`, async () => {
      const attachment = base64(await orderPdf({ lines: ['Order'] }))
      const body = aCreateBody({
        performer: { signer: { userNPI: SIGNER.calder } },
        document: { attachment, annotations: annotations as unknown as Annotations },
      })
      const { statusReason, output } = await service.reaches(await service.create(body), 'Failed')
      expect(statusReason).to.include(reason).and.not.to.include('Ann Stone')
      expect(output!.statusReason).to.equal(statusReason)
    })
})
