/**
 * The sidebar's rows for entries that no node works on, with the acts on them; and the warning that a removed node kept
 * entries. Loaded once, by the html of the configuration node.
 */
/* global RED, $, countersign, countersignDialog, countersignTasks */
window.countersignOrphans = (() => {
  // Read when it is called: Node-RED loads these files in any order.
  const text = (...given) => countersign.text(...given)

  const ICONS = { send: 'fa-paper-plane', adopt: 'fa-link', discard: 'fa-trash' }
  const urlOf = (serviceId) => `countersign/services/${encodeURIComponent(serviceId)}/orphans`
  const look = (serviceId) => $.ajax({ url: urlOf(serviceId), dataType: 'json', cache: false })

  /** Names a count, for example "2 waits". */
  const counted = (kind, count) => text(`orphans.${count === 1 ? 'one' : 'count'}.${kind}`, { count })

  function nameOf({ kind, count, taskId, externalDocId }) {
    if (taskId !== null) return text('sidebar.orphan.ofTask', { what: text(`sidebar.orphan.kind.${kind}`), taskId })
    if (kind === 'order') return text('sidebar.orphan.kind.order')
    return externalDocId ?? counted(kind, count)
  }

  function belongsTo({ reason, address, nodeId }) {
    const node = nodeId ? RED.nodes.node(nodeId) : null
    return text(`sidebar.orphan.reason.${reason}`, {
      address: address ?? text('orphans.unknownAddress'),
      node: node ? RED.utils.getNodeLabel(node, nodeId) : nodeId,
    })
  }

  function row(orphan, onAction) {
    const { id, externalDocId, canBeOpened, actions } = orphan
    const item = $('<li class="countersign-task">')
    const line = $('<div class="countersign-task-line">').appendTo(item)
    $('<strong>').text(nameOf(orphan)).appendTo(line)
    if (externalDocId) $('<div class="countersign-task-document">').text(externalDocId).appendTo(item)
    $('<div>').text(belongsTo(orphan)).appendTo(item)
    if (!canBeOpened) $('<div class="countersign-task-reason">').text(text('sidebar.held.sealed')).appendTo(item)
    const choices = $('<div class="countersign-task-actions">').appendTo(item)
    for (const action of actions) {
      const words = text(`sidebar.orphan.action.${action}`)
      $('<button type="button" class="red-ui-button red-ui-button-small">')
        .attr({
          'data-key': `${action}-${id}`,
          'aria-label': text('sidebar.orphan.label', { words, what: externalDocId ?? nameOf(orphan) }),
          title: text(`sidebar.orphan.about.${action}`),
        })
        .append($(`<i class="fa ${ICONS[action]}" aria-hidden="true">`), document.createTextNode(` ${words}`))
        .on('click', () => onAction(orphan, action))
        .appendTo(choices)
    }
    return item
  }

  /** Carries the action out, and calls `after` with the result in words. */
  async function act({ serviceId, orphan, action, after }) {
    try {
      const nodeId = await askWhere(orphan, action)
      if (nodeId === undefined) return
      const done = await decide(serviceId, { id: orphan.id, action, ...(nodeId !== '' && { nodeId }) })
      if (done) await after({ isGood: true, words: text(`sidebar.orphan.done.${action}`, done) })
    } catch (answer) {
      await after({ isGood: false, words: countersignTasks.refusal(answer) })
    }
  }

  /** Resolves with the id of the chosen node, with '' when there is no choice, or with undefined when the person changes nothing. */
  async function askWhere(orphan, action) {
    const { adopters } = orphan
    if (action !== 'discard' && adopters.length === 0) throw { responseJSON: { error: 'NO_ADOPTER' } }
    const words = text(`sidebar.orphan.action.${action}`)
    const isChoice = action !== 'discard' && adopters.length > 1
    const choices = isChoice
      ? adopters.map(({ nodeId, name }) => [nodeId, text('sidebar.orphan.with', { words, name })])
      : [[action, words]]
    const answer = await countersignDialog.ask({
      name: 'orphan',
      title: text(`sidebar.orphan.${action}.title`, { what: orphan.externalDocId ?? nameOf(orphan) }),
      effect: text(`sidebar.orphan.${action}.effect`),
      keep: text('sidebar.orphan.keep'),
      choices,
    })
    if (!answer) return undefined
    return isChoice ? answer.choice : ''
  }

  /** Resolves with what was done; with undefined when the person is not sure that it is the right task. */
  async function decide(serviceId, decision) {
    try {
      return await countersign.post(urlOf(serviceId), decision)
    } catch (answer) {
      if (answer.responseJSON?.error !== 'UNPROVED') throw answer
      const isSure = await countersignDialog.ask({
        name: 'unproved',
        title: text('sidebar.orphan.unproved.title'),
        effect: answer.responseJSON.message,
        keep: text('sidebar.orphan.keep'),
        choices: [['sure', text('sidebar.orphan.unproved.sure')]],
      })
      return isSure ? countersign.post(urlOf(serviceId), { ...decision, isSure: true }) : undefined
    }
  }

  /**
   * Warns when a node is removed that keeps something: at once, while it can be undone, and again after the deploy. Returns a function
   * that ends it.
   */
  function warnOfRemovals() {
    let removed = []
    /** All that were removed since the last deploy. */
    const gone = new Set()
    let timer
    const listed = (kept) => {
      const sums = {}
      for (const { kind, count } of kept) sums[kind] = (sums[kind] ?? 0) + count
      return Object.entries(sums)
        .map(([kind, count]) => counted(kind, count))
        .join(', ')
    }
    const onRemove = ({ id, type }) => {
      if (!/^countersign-(wait|held|mllp-in|mllp-out|accept|create-task)$/.test(type)) return
      removed.push(id)
      gone.add(id)
      clearTimeout(timer)
      timer = setTimeout(ask, 0)
    }
    async function keptOf(ids) {
      const kept = await $.ajax({
        url: 'countersign/kept',
        data: { ids: ids.join(',') },
        dataType: 'json',
        cache: false,
      })
      return kept.filter(({ nodeId }) => !RED.nodes.node(nodeId))
    }
    async function ask() {
      const ids = removed
      removed = []
      const kept = await keptOf(ids).catch(() => [])
      if (kept.length === 0) return
      const notice = RED.notify(document.createTextNode(text('orphans.beforeDeploy', { what: listed(kept) })), {
        type: 'warning',
        fixed: true,
        buttons: [
          {
            text: text('orphans.undo'),
            click() {
              notice.close()
              RED.actions.invoke('core:undo')
            },
          },
          { text: text('orphans.remove'), class: 'primary', click: () => notice.close() },
        ],
      })
    }
    const known = new Map()
    const services = () => {
      const ids = []
      RED.nodes.eachConfig(({ id, type }) => {
        if (type === 'countersign-service') ids.push(id)
      })
      return ids
    }
    async function compare(isTold) {
      for (const serviceId of services()) {
        const found = await look(serviceId).catch(() => null)
        if (!found) continue
        const before = known.get(serviceId)
        known.set(serviceId, new Set(found.rows.map(({ id }) => id)))
        const fresh = found.rows.filter(({ id, nodeId }) => gone.has(nodeId) || (before && !before.has(id)))
        if (isTold && fresh.length > 0)
          RED.notify(document.createTextNode(text('orphans.afterDeploy', { what: listed(fresh) })), {
            type: 'warning',
            timeout: 15_000,
          })
      }
    }
    // Each comparison waits for the one before, because it needs the state before the deploy.
    let compared = Promise.resolve()
    const compareNext = (isTold) => {
      compared = compared.then(() => compare(isTold))
      return compared
    }
    let isCompared = false
    const onDeploy = async () => {
      await compareNext(true)
      gone.clear()
      isCompared = false
    }
    const onStart = ({ dirty }) => {
      if (!dirty || isCompared) return
      isCompared = true
      compareNext(false)
    }
    RED.events.on('nodes:remove', onRemove)
    RED.events.on('deploy', onDeploy)
    RED.events.on('workspace:dirty', onStart)
    return () => {
      RED.events.off('nodes:remove', onRemove)
      RED.events.off('deploy', onDeploy)
      RED.events.off('workspace:dirty', onStart)
    }
  }

  return { look, row, act, warnOfRemovals }
})()
