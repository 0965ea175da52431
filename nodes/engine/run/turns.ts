export { KeyedLock as Turns } from './keyedLock';
