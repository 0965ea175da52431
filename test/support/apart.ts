import { pauses } from '../../nodes/engine/http/pauses';

// A pause that a service asked for in one test must not delay the next one.
beforeEach(() => pauses.queues.clear());
