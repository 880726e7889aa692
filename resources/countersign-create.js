/** The form of the create node: its inputs. Loaded by the html of that node. */
/* global $, countersign, countersignOffers, countersignRows, countersignTabs */
window.countersignCreate = (() => {
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
    // A flow that was written by hand may lack these, and its node runs with them.
    if (node.keep === undefined) $('#node-input-keep').prop('checked', true)
    if (node.keepLimit === undefined) $('#node-input-keepLimit').val('100')
    if (node.annotationSource === undefined) $('#node-input-annotationSource').val('value')
    countersign.showWhen('node-input', ['source', 'placement', 'annotationSource'])
    const placement = $('#node-input-placement')
    const markTemplate = () =>
      $('label[for="node-input-templateId"]').toggleClass('countersign-needed', placement.val() === 'Template')
    placement.on('change', markTemplate)
    markTemplate()
    countersignTabs.show(node)
  }

  function save(node) {
    node.version = 1
    countersignRows.store(node)
  }

  /** A flow that was written by hand may have no limit. */
  const isRoom = (megabytes) => megabytes === undefined || countersign.isWhole(megabytes, 1, 1000)

  return { prepare, save, isRoom }
})()
