/** A title as part of an address: small letters, digits and single dashes. */
export function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/--/g, '-')
}
