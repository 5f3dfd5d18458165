/** True on a page that the proxy beside an agent serves: its cookie says so, by port, since all ports share cookies. */
export function isBesideAgent(): boolean {
  // A sandboxed frame may not read its cookies.
  return origin !== 'null' && document.cookie.includes(`watching-${location.port}=`)
}
