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
    countersignTabs.show(node)
  }

  function save(node) {
    node.version = 3
    countersignRows.store(node)
  }

  /** A node of version 2 has no limit until its form is opened. */
  const isRoom = (megabytes) => megabytes === undefined || countersign.isWhole(megabytes, 1, 1000)

  return { prepare, save, isRoom }
})()
