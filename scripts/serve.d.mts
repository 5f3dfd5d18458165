import type { Server } from 'node:http'

export function createStaticServer(folder?: string, basePath?: string): Server
export function listen(server: Server, port: number): Promise<number>
