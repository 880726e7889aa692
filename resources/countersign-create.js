/** The form of the create node: its tabs and its inputs. Loaded by the html of that node. */
/* global RED, $, countersign, countersignOffers, countersignRows */
window.countersignCreate = (() => {
  /** Shows each `<div data-tab="tab.patient">` of the form as a tab with this text of the catalogue. */
  function showTabs(node) {
    const pages = $('[data-tab]')
    const tabs = RED.tabs.create({
      id: 'countersign-tabs',
      onchange: ({ id }) => pages.each((_, page) => void $(page).toggle(page.id === id)),
    })
    pages.each((_, page) => void tabs.addTab({ id: page.id, label: node._($(page).attr('data-tab')) }))
    tabs.activateTab(pages[0].id)

    /** Whether a mistake stands in a part of its page that belongs to what is chosen. */
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

  function prepare(node) {
    countersign.chooseService()
    const { withText } = countersign
    countersign.typedInputs(node, {
      sex: withText(countersign.oneOf(['Female', 'Male', 'Unknown', 'Ambiguous'])),
      documentTypeId: withText(countersignOffers.offered('document-types')),
      templateId: withText(countersignOffers.offered('templates')),
      annotations: countersign.LIST_KINDS,
    })
    countersignOffers.checkIds({ documentTypeId: 'document-types', templateId: 'templates' })
    countersignRows.show(node)
    // A node of version 2 does what its form does not show yet.
    if (node.keep === undefined) $('#node-input-keep').prop('checked', true)
    if (node.keepLimit === undefined) $('#node-input-keepLimit').val('100')
    // A form of version 1 had one value for all annotations.
    if (node.annotationSource === undefined) $('#node-input-annotationSource').val('value')
    countersign.showWhen('node-input', ['source', 'placement', 'annotationSource'])
    const placement = $('#node-input-placement')
    const markTemplate = () =>
      $('label[for="node-input-templateId"]').toggleClass('countersign-needed', placement.val() === 'Template')
    placement.on('change', markTemplate)
    markTemplate()
    showTabs(node)
  }

  function save(node) {
    node.version = 3
    countersignRows.store(node)
  }

  /** A node of version 2 has no limit until its form is opened. */
  const isRoom = (megabytes) => megabytes === undefined || countersign.isWhole(megabytes, 1, 1000)

  return { prepare, save, isRoom }
})()
