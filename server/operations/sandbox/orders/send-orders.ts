/** Sends sample orders, shows what can be sent, and sets how signers act on them. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { rule } from '../../../../lib/contract/primitives.ts'
import { told, whole } from '../../../../lib/profile/values.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { ChosenScript } from '../chosen-scripts.ts'
import { Room } from '../messages.ts'
import { sandboxRow } from '../sandbox-context.ts'
import {
  documentNames,
  OwnOrder,
  patientNames,
  placementNames,
  SentOrder,
  sampleDocuments,
  samplePatients,
  samplePlacements,
} from './orders.ts'

const MOST_AT_ONCE = 20

const choices = <K extends string>(ids: readonly K[], names: Readonly<Record<K, string>>) =>
  ids.map((id) => ({ id, name: names[id] }))

export const readRoom = sandboxRow({
  method: 'get',
  path: '/sandbox/v1/room',
  group: 'Orders',
  summary: 'Read which sample orders can be sent, to whom, and how each signer acts',
  who: ['sender'],
  responses: { 200: Room },
  async run({ organizationId, senders, store, scripts }) {
    const organizations = await senders()
    const providers = await store.providers.list()
    return {
      organization: organizations.find(({ id }) => id === organizationId) ?? { id: organizationId, name: '' },
      organizations,
      patients: choices(samplePatients, patientNames),
      documents: choices(sampleDocuments, documentNames),
      placements: choices(samplePlacements, placementNames),
      signers: providers.map(({ npi, signingName: name, isActive, script }) => ({
        npi,
        name,
        isActive,
        script: scripts.of(organizationId, npi) ?? script ?? { act: 'wait' as const },
      })),
    }
  },
})

export const sendOrders = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/orders',
  group: 'Orders',
  summary: 'Send sample orders as a sender would, by HTTP; planned faults hit them',
  who: ['sender'],
  reads: 'sample',
  body: OwnOrder.extend({
    times: told(
      z.nullish(whole(1, MOST_AT_ONCE)),
      'Times',
      `How many orders to send, up to ${MOST_AT_ONCE}; each has an id of its own. Optional; 1 by default.`,
      1,
    ),
  }),
  responses: { 200: z.array(SentOrder) },
  async run({ orders, at }, { body: { times, ...order } }) {
    const sent: SentOrder[] = []
    for (let left = times ?? 1; left > 0; left--) sent.push(await orders.send(order, at))
    return sent
  },
})

export const showOrder = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/orders/body',
  group: 'Orders',
  summary: 'Return the body of a sample order, to send it with a program of your own',
  who: ['sender'],
  reads: 'sample',
  body: OwnOrder,
  responses: { 200: z.looseObject({}) },
  run: async ({ orders, at }, { body }) => ({ ...(await orders.bodyOf(body, at)) }),
})

export const scriptSigner = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/signers/:npi',
  group: 'Signers',
  summary: 'Set how a signer acts on the documents of your organization',
  who: ['sender'],
  params: z.object({ npi: z.string(rule('an NPI')).regex(/^\d{10}$/, 'an NPI of ten digits') }),
  body: ChosenScript,
  responses: { 200: ChosenScript, 404: ErrorBody },
  async run({ store, scripts, organizationId }, { params: { npi }, body }) {
    if (!(await store.providers.find(npi))) throw new Refusal('notFound', 'No signer has this NPI.')
    scripts.set(organizationId, npi, body)
    return body
  },
})
