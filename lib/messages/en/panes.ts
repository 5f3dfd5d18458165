export const panes = {} as const
