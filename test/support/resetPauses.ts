import { pauses } from '../../nodes/engine/http/pauses';

// A pause that a service requested in one test must not delay the next.
beforeEach(() => pauses.queues.clear());
