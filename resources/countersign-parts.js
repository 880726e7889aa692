/** The parts of the sidebar tab "Signatures", each with its list. Loaded once, by the html of the configuration node. */
/* global $, countersign */
window.countersignParts = (() => {
  // Not taken over at once: Node-RED loads these files in any order.
  const text = (...given) => countersign.text(...given)

  function make(name) {
    const part = $('<details>')
    const summary = $('<summary>')
      .text(`${text(`sidebar.part.${name}`)} `)
      .appendTo(part)
    $('<span class="countersign-sidebar-count">').appendTo(summary)
    $('<p class="countersign-sidebar-hint">')
      .text(text(`sidebar.hint.${name}`))
      .appendTo(part)
    $('<ul>').appendTo(part)
    return part
  }

  /** Leaves what has not changed as it is, so that no one loses his place; what had the focus gets it back. */
  function fill(part, found, row) {
    const known = JSON.stringify(found)
    if (part.data('known') === known) return
    part.data('known', known)
    const { rows, isComplete } = found
    const count = isComplete ? String(rows.length) : text('sidebar.atLeast', { count: rows.length })
    part.find('.countersign-sidebar-count').text(count)
    const list = part.find('ul')
    const key = $.contains(list[0], document.activeElement) ? $(document.activeElement).attr('data-key') : undefined
    list.empty().append(rows.map(row))
    if (rows.length === 0) list.append($('<li class="countersign-sidebar-none">').text(text('sidebar.none')))
    if (key === undefined) return
    const again = list.find(`[data-key="${key}"]`)
    if (again.length > 0) again.trigger('focus')
    else part.find('summary').trigger('focus')
  }

  return { make, fill }
})()
