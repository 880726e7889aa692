/**
 * The tab "Signatures" of the sidebar: the tasks of a service that someone may have to look after. It looks by itself while it is
 * in sight, and not otherwise. Node-RED asks the service for it. Loaded once, by the html of the configuration node.
 */
/* global RED, $, countersign, countersignHeld, countersignOrphans, countersignParts, countersignTasks */
window.countersignSidebar = (() => {
  const ID = 'countersign-signatures'
  const TYPE = 'countersign-service'
  const PARTS = ['open', 'waiting', 'failed', 'unrecorded']
  // Not taken over at once: Node-RED loads these files in any order.
  const text = (...given) => countersign.text(...given)

  /** Until a service has said how often to look. */
  const FIRST_REFRESH_MS = 60_000

  let tab = null

  /** Called when the nodes are added to the palette, and again when they are enabled. */
  function add() {
    if (tab) return
    tab = makeTab()
    RED.sidebar.addTab({
      id: ID,
      label: text('sidebar.label'),
      name: text('sidebar.name'),
      iconClass: 'fa fa-pencil-square-o',
      content: tab.content,
      enableOnEdit: true,
    })
    RED.actions.add('countersign:show-signatures', () => RED.sidebar.show(ID), { label: text('sidebar.show') })
  }

  /** Called when the nodes are disabled or removed. */
  function remove() {
    if (!tab) return
    tab.close()
    tab = null
    RED.sidebar.removeTab(ID)
    RED.actions.remove('countersign:show-signatures')
  }

  function makeTab() {
    const view = makeView()
    let shown = null
    let isInSight = false
    let timer
    let lastLook = 0
    let looking = null

    const mayLook = () => isInSight && !document.hidden
    const plan = () => {
      clearTimeout(timer)
      if (mayLook()) timer = setTimeout(look, shown?.refreshMs ?? FIRST_REFRESH_MS)
    }

    /** One look at a time: when another one is asked for, it begins when this one has ended. */
    function look() {
      clearTimeout(timer)
      lastLook += 1
      looking ??= lookUntilLast().finally(() => {
        looking = null
        plan()
      })
      return looking
    }

    async function lookUntilLast() {
      for (let thisLook = 0; thisLook !== lastLook; ) {
        thisLook = lastLook
        const serviceId = view.service()
        await Promise.all([
          lookAtHeld(thisLook),
          lookAtTasks(thisLook, serviceId),
          serviceId && lookAtOrphans(thisLook, serviceId),
        ])
      }
    }

    async function lookAtTasks(thisLook, serviceId) {
      if (!serviceId) {
        view.say(text('sidebar.noService'))
        return
      }
      if (!shown) view.say(text('sidebar.loading'))
      try {
        const overview = await countersign.ask('GET', serviceId, 'tasks')
        if (thisLook !== lastLook) return
        shown = overview
        view.say('')
        view.show(overview, (task, action) => countersignTasks.act({ serviceId, task, action, overview, after }))
      } catch (answer) {
        if (thisLook === lastLook) view.say(countersignTasks.refusal(answer))
      }
    }

    /** Messages are held by nodes of this Node-RED, whatever the service says. */
    async function lookAtHeld(thisLook) {
      try {
        const found = await countersignHeld.look()
        if (thisLook === lastLook) view.showHeld(found, (held, action) => countersignHeld.act({ held, action, after }))
      } catch (answer) {
        if (thisLook === lastLook) view.tell({ isGood: false, words: countersignTasks.refusal(answer) })
      }
    }

    /** The journal can be read whether the service answers or not. */
    async function lookAtOrphans(thisLook, serviceId) {
      try {
        const found = await countersignOrphans.look(serviceId)
        if (thisLook !== lastLook) return
        view.showOrphans(found, (orphan, action) => countersignOrphans.act({ serviceId, orphan, action, after }))
      } catch {
        // The look at the tasks says why the service cannot be asked.
      }
    }

    function after(outcome) {
      view.tell(outcome)
      return look()
    }

    function lookAnew() {
      shown = null
      view.clear()
      if (mayLook()) look()
    }

    const seen = () => (mayLook() ? look() : clearTimeout(timer))
    const observer = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1).isIntersecting
      seen()
    })
    observer.observe(view.content[0])
    document.addEventListener('visibilitychange', seen)
    const changed = ({ type } = { type: TYPE }) => type === TYPE && view.fillServices() && lookAnew()
    const stopWarning = countersignOrphans.warnOfRemovals()
    const events = { 'nodes:add': changed, 'nodes:remove': changed, 'nodes:change': changed, deploy: lookAnew }
    for (const [name, listener] of Object.entries(events)) RED.events.on(name, listener)
    view.onService(lookAnew)
    view.onRefresh(() => look())
    view.fillServices()

    return {
      content: view.content,
      close() {
        clearTimeout(timer)
        stopWarning()
        observer.disconnect()
        document.removeEventListener('visibilitychange', seen)
        for (const [name, listener] of Object.entries(events)) RED.events.off(name, listener)
      },
    }
  }

  function makeView() {
    const content = $('<div class="countersign-sidebar">')
    const head = $('<div class="countersign-sidebar-head">').appendTo(content)
    $(`<label for="${ID}-service">`).text(text('label.service')).appendTo(head)
    const select = $(`<select id="${ID}-service">`).appendTo(head)
    const refresh = $(
      '<button type="button" class="red-ui-button"><i class="fa fa-refresh" aria-hidden="true"></i></button>',
    )
      .attr({ 'aria-label': text('sidebar.refresh'), title: text('sidebar.refresh') })
      .appendTo(head)
    // One tells how the look went, the other what became of what a person did; the next look must not wipe that away.
    const state = $('<p class="countersign-sidebar-state" role="status">').appendTo(content)
    const told = $('<p class="countersign-sidebar-told" role="status">').appendTo(content)
    const lists = $('<div class="countersign-sidebar-lists">').appendTo(content)
    const parts = Object.fromEntries(PARTS.map((name) => [name, countersignParts.make(name).appendTo(lists)]))
    const orphanPart = countersignParts.make('orphaned').prependTo(lists)
    const heldPart = countersignParts.make('held').appendTo(lists)
    const clear = () => {
      lists.children().hide()
      told.text('')
    }
    clear()

    return {
      content,
      clear,
      service: () => select.val(),
      say: (words) => state.text(words).toggle(words !== ''),
      tell: ({ words, isGood }) => told.text(words).toggleClass('countersign-sidebar-bad', !isGood),
      onService: (listener) => select.on('change', listener),
      onRefresh: (listener) => refresh.on('click', listener),
      /** Returns whether another service is chosen now, or the first one. */
      fillServices() {
        const before = select.val()
        const services = []
        RED.nodes.eachConfig((node) => {
          if (node.type === TYPE) services.push(node)
        })
        const option = (node) => $('<option>').val(node.id).text(RED.utils.getNodeLabel(node, node.id))
        select.empty().append(services.map(option))
        if (services.some(({ id }) => id === before)) select.val(before)
        return select.val() !== before
      },
      show(overview, onAction) {
        const row = (task) => countersignTasks.row(task, onAction)
        for (const name of PARTS) countersignParts.fill(parts[name].show(), overview[name], row)
      },
      showOrphans(found, onAction) {
        orphanPart.toggle(found.rows.length > 0)
        if (found.rows.length === 0) return
        countersignParts.fill(orphanPart, found, (orphan) => countersignOrphans.row(orphan, onAction))
      },
      /** @param found null when no node holds messages */
      showHeld(found, onAction) {
        heldPart.toggle(found !== null)
        if (found) countersignParts.fill(heldPart, found, (held) => countersignHeld.row(held, onAction))
      },
    }
  }

  return { add, remove }
})()
