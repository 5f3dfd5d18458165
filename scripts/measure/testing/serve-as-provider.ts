import { serveAsProvider } from './checked-answers'

await serveAsProvider()
