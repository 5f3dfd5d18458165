export const meters = {} as const
