/** The name under which `park` imports the lock. */
export { KeyedLock as Turns } from './keyedLock';
