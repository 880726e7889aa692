/** A test order: sent as an organization sends its orders, and marked as a test wherever people or programs meet it. choice: Test orders */
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { ErrorBody } from '../../../lib/contract/error.ts'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { dayAt } from '../../../lib/time-zone.ts'
import { Refusal } from '../../domain/refusal.ts'
import { TEST_ORDER_PHRASES, testOrderPdf } from '../../pdf/test-order.ts'
import { run as createTask } from '../sender/create-task.ts'
import { idParams } from './id-params.ts'
import { TaskFile } from './messages/tasks.ts'
import { TEST_ORDER, TestOrderBody } from './messages/test-order.ts'
import { OPERATOR_ALONE, operatorRow } from './operator-context.ts'
import { foundOrganization } from './organizations.ts'
import { foundProvider } from './providers.ts'
import { runningService } from './running.ts'
import { readTask } from './tasks/tasks.ts'

export const sendTestOrder = operatorRow({
  method: 'post',
  path: '/admin/v1/organizations/:id/test-order',
  group: 'Organizations',
  summary: 'Send a test order for an organization; its signer can sign, reject or leave it, and it can be cancelled',
  who: OPERATOR_ALONE,
  params: idParams('the organization'),
  body: TestOrderBody,
  responses: {
    201: z.object({
      taskId: z.int().register(docs, { title: 'Task id', description: 'The task that was made.', examples: [1001] }),
    }),
    404: ErrorBody,
    409: ErrorBody,
  },
  async run(context, { params: { id }, body: { signerNpi, documentTypeId } }) {
    const { store, at, newId } = context
    const { ingestionEnabled, isActive, timeZone } = await foundOrganization(context, id)
    if (!isActive || !ingestionEnabled)
      throw new Refusal('conflict', 'This organization may not send orders. Allow it to first.')
    const signer = await foundProvider(context, signerNpi)
    if (!signer.isActive)
      throw new Refusal('conflict', `${signer.signingName} is inactive. Activate the signer, or choose another one.`)
    if (!(await store.documentTypes.has(documentTypeId)))
      throw new Refusal('invalid', 'documentTypeId: the id of a document type of this service')
    const sender = runningService(context).asSender(id)
    const body = await orderOf(signerNpi, documentTypeId, dayAt(timeZone, at), `${TEST_ORDER}${newId()}`)
    const { taskId } = await createTask(sender, { body, params: undefined, query: undefined })
    return { taskId }
  },
})

export const readTestOrder = operatorRow({
  method: 'get',
  path: '/admin/v1/organizations/:id/test-order',
  group: 'Organizations',
  summary: 'Read the newest test order among the newest orders of an organization, with its story',
  who: OPERATOR_ALONE,
  params: idParams('the organization'),
  responses: { 200: z.object({ order: TaskFile.nullable() }), 404: ErrorBody },
  async run(context, { params: { id } }) {
    await foundOrganization(context, id)
    const newest = await context.store.overview(id).list({ limit: LOOKED_AT }, 'hidden')
    const found = newest.find(({ externalDocId }) => externalDocId.startsWith(TEST_ORDER))
    return {
      order: found
        ? await readTask.run(context, { params: { id: found.taskId }, query: undefined, body: undefined })
        : null,
    }
  },
})

/** An agency that is set up has few orders. */
const LOOKED_AT = 50

/** Says with its name that there is no such patient. All test orders of an organization have the same one. */
const patient: CreateTask['patient'] = {
  externalId: 'TEST-ORDER',
  names: [{ use: 'official', family: 'TEST ORDER', given: ['No patient'] }],
  // One that is not known would be for a person to decide.
  sex: 'Female',
  birthDate: '1900-01-01',
  addresses: [{ line: 'TEST ORDER', city: null, state: null, postalCode: '00000' }],
}

async function orderOf(
  userNPI: string,
  documentTypeId: number,
  date: string,
  externalDocId: string,
): Promise<CreateTask> {
  const { signature, date: dated } = TEST_ORDER_PHRASES
  return {
    patient,
    performers: [{ signer: { userNPI } }],
    document: {
      attachment: (await testOrderPdf(date)).toString('base64'),
      effectiveDate: date,
      documentTypeId,
      externalDocId,
      annotations: {
        type: 'ReferenceText',
        data: [
          { type: 'VisibleSignature', required: true, referenceText: signature, offsetX: 110, offsetY: -14 },
          { type: 'DateSigned', required: true, referenceText: dated, offsetX: 110, offsetY: -2 },
        ],
      },
    },
  }
}
