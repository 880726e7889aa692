/**
 * A task in the sidebar: its row, and what a person may do to it. Texts of the service are written as text, never as html. Loaded
 * once, by the html of the configuration node.
 */
/* global $, countersign, countersignDialog */
window.countersignTasks = (() => {
  // Not taken over at once: Node-RED loads these files in any order.
  const text = (...given) => countersign.text(...given)

  const ICONS = { retract: 'fa-undo', resend: 'fa-share', download: 'fa-download' }

  function row(task, onAction) {
    const { taskId, status, externalDocId, documentType, at, reason, actions, consoleUrl } = task
    const item = $('<li class="countersign-task">')
    const line = $('<div class="countersign-task-line">').appendTo(item)
    $('<strong>').text(taskId).appendTo(line)
    $('<span class="countersign-task-status">').attr('data-status', status).text(status).appendTo(line)
    if (at) $('<time>').attr('datetime', at).text(timeOf(at)).appendTo(line)
    if (documentType) $('<div>').text(documentType).appendTo(item)
    if (externalDocId) $('<div class="countersign-task-document">').text(externalDocId).appendTo(item)
    if (reason) $('<div class="countersign-task-reason">').text(reason).appendTo(item)
    const choices = $('<div class="countersign-task-actions">').appendTo(item)
    for (const action of actions) {
      const words = text(`sidebar.action.${action}`)
      labelled($('<button type="button">'), words, ICONS[action], `${action}-${taskId}`, taskId)
        .attr('title', text(`sidebar.about.${action}`))
        .on('click', () => onAction(task, action))
        .appendTo(choices)
    }
    if (/^https?:\/\//.test(consoleUrl ?? ''))
      labelled(
        $('<a target="_blank" rel="noopener noreferrer">'),
        text('sidebar.console'),
        'fa-external-link',
        `console-${taskId}`,
        taskId,
      )
        .attr('href', consoleUrl)
        .appendTo(choices)
    return item
  }

  const labelled = (control, words, icon, key, taskId) =>
    control
      .addClass('red-ui-button red-ui-button-small')
      .attr({ 'data-key': key, 'aria-label': text('sidebar.ofTask', { words, taskId }) })
      .append($(`<i class="fa ${icon}" aria-hidden="true">`), document.createTextNode(` ${words}`))

  const timeOf = (at) => new Date(at).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' })

  /** Does it, and tells `after` what became of it in words, and whether it is good. */
  async function act({ serviceId, task, action, overview, after }) {
    try {
      const done = await ACTIONS[action]({ serviceId, task, overview })
      if (done) await after({ isGood: true, words: text(`sidebar.done.${action}`, { taskId: task.taskId, ...done }) })
    } catch (answer) {
      await after({ isGood: false, words: refusal(answer) })
    }
  }

  /** Each resolves with the values of the text that tells of it, or with undefined when the person thought better of it. */
  const ACTIONS = {
    async retract({ serviceId, task, overview }) {
      const reason = await askWhy(task.taskId, overview.reasonLength)
      if (reason === undefined) return undefined
      await post(serviceId, task, 'retract', { reason })
      return {}
    },
    resend: ({ serviceId, task }) => post(serviceId, task, 'resend', {}),
    async download({ serviceId, task }) {
      const pdf = await $.ajax({
        url: urlOf(serviceId, task, 'signed-pdf'),
        xhrFields: { responseType: 'blob' },
        cache: false,
      })
      const address = URL.createObjectURL(pdf)
      $('<a>')
        .attr({ href: address, download: `task-${task.taskId}-signed.pdf` })[0]
        .click()
      URL.revokeObjectURL(address)
      return {}
    },
  }

  const urlOf = (serviceId, { taskId }, what) =>
    `countersign/services/${encodeURIComponent(serviceId)}/tasks/${taskId}/${what}`

  const post = (serviceId, task, what, body) => countersign.post(urlOf(serviceId, task, what), body)

  /** Resolves with the reason, which may be empty, or with undefined when the task is to stay. */
  async function askWhy(taskId, longest) {
    const answer = await countersignDialog.ask({
      name: 'retract',
      title: text('sidebar.retract.title', { taskId }),
      effect: text('sidebar.retract.effect'),
      text: { label: text('sidebar.retract.reason'), rows: 3, longest },
      keep: text('sidebar.retract.keep'),
      choices: [['retract', text('sidebar.action.retract')]],
    })
    return answer?.text.trim()
  }

  /** The codes that have a text here. All others come with a sentence of their own. */
  const REFUSALS = [
    'NOT_DEPLOYED',
    'BUSY',
    'NO_RECONCILE',
    'STILL_AWAITED',
    'ALREADY_RECORDED',
    'ALREADY_SIGNED',
    'NOT_HELD',
    'NOT_KEPT',
    'NO_ADOPTER',
    'NO_ROOM',
    'ALREADY_AWAITED',
  ]

  function refusal({ status, responseJSON }) {
    if (status === 401) return text('sidebar.refused.NOT_ALLOWED')
    const { error, message } = responseJSON ?? {}
    if (REFUSALS.includes(error)) return text(`sidebar.refused.${error}`)
    return message ?? text('sidebar.refused.NO_ANSWER')
  }

  return { row, act, refusal, timeOf }
})()
