import { version } from '../../package.json';
import { useAcceleratedTime } from '../support/fakeClock';
import { storeWorkflows } from './storeWorkflows';

useAcceleratedTime();

// Not a test: "npm run release:keep" runs it, with the environment of the tests of operations.
it('stores the workflows of this release', async () => await storeWorkflows(version), 300_000);
