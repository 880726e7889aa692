/** The tabs of a form. Loaded once, by the html of the configuration node. */
/* global RED, $ */
window.countersignTabs = (() => {
  /** Shows each `<div id="…" data-tab="tab.patient">` of the form as a tab with this text of the catalogue. */
  function show(node) {
    const pages = $('[data-tab]')
    const tabs = RED.tabs.create({
      id: 'countersign-tabs',
      onchange: ({ id }) => pages.each((_, page) => void $(page).toggle(page.id === id)),
    })
    pages.each((_, page) => void tabs.addTab({ id: page.id, label: node._($(page).attr('data-tab')) }))
    tabs.activateTab(pages[0].id)

    /** Whether a mistake is in a part of its page that belongs to what is chosen. */
    const counts = (page) => (_, mistake) =>
      $(mistake)
        .parentsUntil(page)
        .toArray()
        .every(({ style }) => style.display !== 'none')
    /** A mistake on a page that is not shown marks its tab. */
    const mark = () =>
      pages.each((_, page) => {
        const tab = $(`#countersign-tabs a[href="#${page.id}"]`).parent()
        tab.toggleClass('countersign-tab-wrong', $(page).find('.input-error').filter(counts(page)).length > 0)
      })
    const observer = new MutationObserver(mark)
    const watched = { subtree: true, attributes: true, attributeFilter: ['class', 'style'] }
    pages.each((_, page) => observer.observe(page, watched))
    mark()
  }

  return { show }
})()
