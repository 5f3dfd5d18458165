export { Playground as default } from '@/components/playground'
