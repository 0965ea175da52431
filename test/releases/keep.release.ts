import { version } from '../../package.json';
import { useHurry } from '../support/fakeClock';
import { keep } from './keep';

useHurry();

// Not a test, but what "npm run release:keep" runs: it needs what the tests of operations need.
it('keeps the workflows of this release', async () => await keep(version), 300_000);
