export { MainPage as default } from '@/components/playground'
