import { pauses } from '../../nodes/engine/http/pauses';

// What a service asked for in one test must not hold up the next one. A benchmark has no tests.
if (typeof beforeEach === 'function') beforeEach(() => pauses.queues.clear());
