/** The scenarios that each sandbox has. Their signers are those of the demo. */
import type { Scenario } from './scenario.ts'

const MARSH = '9999900019'
const TATE = '9999900027'
const CALDER = '9999900035'
const DAY_SECONDS = 24 * 60 * 60

const anOrder = { do: 'send', patient: 'usual', document: 'order', placement: 'coordinates' } as const

export const builtIn: readonly Scenario[] = [
  {
    name: 'signed-and-rejected',
    title: 'An order is signed, another is rejected',
    about:
      'The way of an order from the sender to the signer and back, and what the sender gets when a signer says no.',
    steps: [
      { say: 'We begin with an empty desk.', do: [{ do: 'reset' }] },
      {
        say: 'The agency sends an order. The service finds the patient and the signer, and places the fields.',
        do: [{ ...anOrder, signer: CALDER }],
      },
      { say: 'Doctor Calder reads it in the inbox and signs. The agency gets a webhook.', do: [{ do: 'sign' }] },
      { say: 'The next order is not for this signer.', do: [{ ...anOrder, patient: 'umlaut', signer: CALDER }] },
      { say: 'The signer rejects it with a reason.', do: [{ do: 'reject', reason: 'Not my patient' }] },
      {
        say: 'An unknown signer: the task fails at once, and says why.',
        do: [{ ...anOrder, signer: '9999900043' }],
      },
    ],
  },
  {
    name: 'host-loses-answers',
    title: 'The host loses answers',
    about: 'A create arrives, its answer does not. A sender that sends it again makes a second order for one document.',
    steps: [
      { say: 'We begin with an empty desk.', do: [{ do: 'reset' }] },
      {
        say: 'From now on the answer to the next create is lost.',
        do: [{ do: 'lesson', name: 'lost-answer', isOn: true }],
      },
      {
        say: 'Now send an order with your integration. This one is ours: no answer came, and the task is there.',
        do: [{ ...anOrder, signer: MARSH }],
      },
      {
        say: 'The card under “Go wrong” says what your integration did next.',
        do: [{ do: 'advance', seconds: 60 }],
      },
    ],
  },
  {
    name: 'webhooks-doubled',
    title: 'Webhooks doubled and out of order',
    about: 'Each webhook comes twice, and the first news comes last. Each outcome must be recorded once.',
    steps: [
      { say: 'We begin with an empty desk.', do: [{ do: 'reset' }] },
      {
        say: 'Webhooks come twice from now on, and those that report Pending come late.',
        do: [
          { do: 'lesson', name: 'doubled-webhooks', isOn: true },
          { do: 'lesson', name: 'late-webhooks', isOn: true },
        ],
      },
      { say: 'Three orders go to a signer who signs at once.', do: [{ ...anOrder, times: 3, signer: MARSH }] },
      { say: 'A minute passes. The traffic shows what the receiver got.', do: [{ do: 'advance', seconds: 60 }] },
      {
        say: 'All is well again.',
        do: [
          { do: 'lesson', name: 'doubled-webhooks', isOn: false },
          { do: 'lesson', name: 'late-webhooks', isOn: false },
        ],
      },
    ],
  },
  {
    name: 'monday-morning',
    title: 'Monday morning',
    about:
      'The orders of a weekend arrive at once. Most are signed within the hour, some are rejected, some stay open.',
    steps: [
      {
        say: 'We begin with an empty desk, and signers who work as people do.',
        do: [
          { do: 'reset' },
          { do: 'signer', npi: MARSH, script: { act: 'sign', afterSeconds: 1200, share: 0.8 } },
          { do: 'signer', npi: TATE, script: { act: 'reject', afterSeconds: 1800, reason: 'Not my patient' } },
        ],
      },
      {
        say: 'Fifteen orders arrive, for two signers.',
        do: [
          { ...anOrder, times: 10, signer: MARSH },
          { ...anOrder, document: 'three-pages', times: 5, signer: TATE },
        ],
      },
      { say: 'An hour passes.', do: [{ do: 'advance', seconds: 3600 }] },
      {
        say: 'Three days later some still wait. Who reminds the signer?',
        do: [{ do: 'advance', seconds: 3 * DAY_SECONDS }],
      },
    ],
  },
  {
    name: 'signer-away',
    title: 'The signer is away',
    about: 'Orders wait for a signer who does not come. Days pass by the clock of the sandbox.',
    steps: [
      {
        say: 'We begin with an empty desk. Doctor Calder is on holiday.',
        do: [{ do: 'reset' }, { do: 'signer', npi: CALDER, script: { act: 'wait' } }],
      },
      { say: 'Two orders arrive.', do: [{ ...anOrder, times: 2, signer: CALDER }] },
      { say: 'A week passes. The console shows what is overdue.', do: [{ do: 'advance', seconds: 7 * DAY_SECONDS }] },
      {
        say: 'Doctor Calder is back and signs within ten minutes.',
        do: [
          { do: 'signer', npi: CALDER, script: { act: 'sign', afterSeconds: 600 } },
          { do: 'advance', seconds: 3600 },
        ],
      },
    ],
  },
]
