/** The things that an operator has to do, as the operator's interface gives them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import type { NeedKind } from '../../../domain/needs.ts'

export const Desk = z.object({
  needs: z.array(
    z.object({
      kind: z.custom<NeedKind>((value) => typeof value === 'string'),
      sentence: z.string().register(docs, {
        title: 'Sentence',
        description: 'What has to be done, with how many and since when.',
        examples: ['2 orders wait for a review, the oldest for 18 hours.'],
      }),
      values: z.record(z.string(), z.union([z.string(), z.number()])).register(docs, {
        title: 'Values',
        description: 'What the sentence names, to word it in another language.',
        examples: [{ count: 2, oldest: '2026-03-01T15:00:00.000Z' }],
      }),
      route: z.string().register(docs, {
        title: 'Route',
        description: 'The part of the console where it is done, as it comes after `/console#/`.',
        examples: ['review'],
      }),
      remindNpi: z
        .string()
        .nullable()
        .register(docs, {
          title: 'Signer to remind',
          description: 'The signer to whom a reminder can be sent by e-mail; null otherwise.',
          examples: [null],
        }),
    }),
  ),
})
export type Desk = z.infer<typeof Desk>
