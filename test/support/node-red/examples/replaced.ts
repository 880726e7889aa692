/** The example in which a hospital replaces a document that it has sent, from the second button to the last. */
import { expect } from 'chai'
import { eventually } from '../../eventually.ts'
import { heldAt } from '../held-bridge.ts'
import type { NodeRed } from '../node-red.ts'
import { idIn, press } from './examples.ts'

const EXAMPLE = 'Replace an order that was sent'

/**
 * Plays it after the order was sent: replaced, the replacement sent by hand, and taken back.
 * @param isPending resolves when the task waits in the inbox
 */
export async function isReplaced(red: NodeRed, isPending: (taskId: unknown) => Promise<unknown>): Promise<void> {
  const at = (probe: string) => red.next(idIn(EXAMPLE, probe), () => true, 30_000)
  const first = await at('sent')
  await isPending(first.taskId)
  await press(red, EXAMPLE, '2 Send its replacement')
  expect(await at('taken back')).to.include({ taskId: first.taskId, status: 'Retracted', repeated: false })

  const id = String(first.externalDocId)
  const replacements = heldAt(red, idIn(EXAMPLE, 'replacements'))
  const heldId = await eventually(async () => {
    const rows = (await replacements.rows()).filter(({ reasons }) => /other content/.test(String(reasons)))
    expect(rows).to.have.length(1)
    return rows[0]!.heldId
  })
  const text = await replacements.text(heldId)
  await replacements.post(heldId, 'edit', { text: text.replace(id, `${id}.r2`) })
  await replacements.post(heldId, 'resend')
  const second = await at('sent')
  expect(second.externalDocId).to.equal(`${id}.r2`)
  await isPending(second.taskId)

  await press(red, EXAMPLE, '3 Take it back')
  expect(await at('taken back')).to.include({ taskId: second.taskId, status: 'Retracted', externalDocId: id })
}
