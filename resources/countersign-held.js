/**
 * A held message in the sidebar: its row, and what a person may do to it. Its contents are asked for when someone corrects it, and
 * not before. Loaded once, by the html of the configuration node.
 */
/* global $, countersign, countersignDialog, countersignTasks */
window.countersignHeld = (() => {
  // Not taken over at once: Node-RED loads these files in any order.
  const text = (...given) => countersign.text(...given)

  const ICONS = { edit: 'fa-pencil', resend: 'fa-share', discard: 'fa-trash' }

  /** Resolves with a row for each held message; with null when no node holds any. */
  async function look() {
    const nodes = await $.ajax({ url: 'countersign/held', dataType: 'json', cache: false })
    if (nodes.length === 0) return null
    const rowsOf = ({ nodeId, name, rows }) => rows.map((held) => ({ ...held, nodeId, name }))
    return { rows: nodes.flatMap(rowsOf), isComplete: nodes.every(({ isComplete }) => isComplete) }
  }

  function row(held, onAction) {
    const { heldId, name, at, reasons, controlId, messageType, resentAt, canBeOpened } = held
    const item = $('<li class="countersign-task">')
    const line = $('<div class="countersign-task-line">').appendTo(item)
    $('<strong>').text(text('sidebar.held.message', { heldId })).appendTo(line)
    $('<time>').attr('datetime', at).text(countersignTasks.timeOf(at)).appendTo(line)
    const names = [name, messageType, controlId].filter(Boolean).join(', ')
    $('<div class="countersign-task-document">').text(names).appendTo(item)
    const said = canBeOpened ? reasons : [text('sidebar.held.sealed')]
    for (const reason of said) $('<div class="countersign-task-reason">').text(reason).appendTo(item)
    if (resentAt)
      $('<div>')
        .text(text('sidebar.held.resent', { time: countersignTasks.timeOf(resentAt) }))
        .appendTo(item)
    const choices = $('<div class="countersign-task-actions">').appendTo(item)
    for (const action of canBeOpened ? ['edit', 'resend', 'discard'] : ['discard']) {
      const words = text(`sidebar.held.action.${action}`)
      $('<button type="button" class="red-ui-button red-ui-button-small">')
        .attr({
          'data-key': `${action}-${held.nodeId}-${heldId}`,
          'aria-label': text('sidebar.held.ofMessage', { words, heldId }),
          title: text(`sidebar.held.about.${action}`),
        })
        .append($(`<i class="fa ${ICONS[action]}" aria-hidden="true">`), document.createTextNode(` ${words}`))
        .on('click', () => onAction(held, action))
        .appendTo(choices)
    }
    return item
  }

  /** Does it, and tells `after` what became of it in words, and whether it is good. */
  async function act({ held, action, after }) {
    try {
      const done = await ACTIONS[action](held)
      if (done) await after({ isGood: true, words: text(`sidebar.held.done.${done}`, held) })
    } catch (answer) {
      await after({ isGood: false, words: countersignTasks.refusal(answer) })
    }
  }

  /** Each resolves with what was done, or with undefined when the person thought better of it. */
  const ACTIONS = {
    async edit(held) {
      const kept = await $.ajax({ url: urlOf(held, 'text'), dataType: 'json', cache: false })
      const corrected = await countersignDialog.ask({
        name: 'correct',
        title: text('sidebar.held.edit.title', held),
        effect: text('sidebar.held.edit.effect'),
        text: { label: text('sidebar.held.edit.text'), rows: 16, value: kept.text, isCode: true },
        keep: text('sidebar.held.edit.keep'),
        choices: ['save', 'saveAndResend'].map((choice) => [choice, text(`sidebar.held.edit.${choice}`)]),
      })
      if (!corrected) return undefined
      await post(held, 'edit', { text: corrected.text })
      if (corrected.choice === 'saveAndResend') await post(held, 'resend')
      return corrected.choice
    },
    async resend(held) {
      await post(held, 'resend')
      return 'resend'
    },
    async discard(held) {
      const isSure = await countersignDialog.ask({
        name: 'discard',
        title: text('sidebar.held.discard.title', held),
        effect: text('sidebar.held.discard.effect'),
        keep: text('sidebar.held.discard.keep'),
        choices: [['discard', text('sidebar.held.action.discard')]],
      })
      if (!isSure) return undefined
      await post(held, 'discard')
      return 'discard'
    },
  }

  const urlOf = ({ nodeId, heldId }, what) => `countersign/held/${encodeURIComponent(nodeId)}/${heldId}/${what}`

  const post = (held, what, body = {}) => countersign.post(urlOf(held, what), body)

  return { look, row, act }
})()
