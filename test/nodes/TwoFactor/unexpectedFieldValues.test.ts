// Protects users from unexpected values in a response: every operation outputs an item or a clear error.
import { adviceOf, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';
import { operations } from './twoFactorRows';

const { operateAgainst } = useFakeTwoFactor(useTwoFactorRig());

/** Fields of the service's responses that the node reads. */
const FIELD_NAMES = [
	'user',
	'status',
	'approval_request',
	'app',
	'stats',
	'message',
	'token',
	'device',
	'ignored',
	'cellphone',
	'errors',
	'error_code',
];
const UNEXPECTED_VALUES: unknown[] = [
	null,
	42,
	'word',
	true,
	[],
	[null],
	[[]],
	[42, {}],
	{},
	{ id: null },
];

/** JavaScript's own messages for programming errors. */
const JAVASCRIPT_ERROR =
	/Cannot (read|use|convert)|undefined|is not (a function|iterable|an object)|Invalid/i;

const waitForDecision = {
	resource: 'approvalRequest',
	operation: 'waitForDecision',
	parameters: { uuid: 'u-1', waitLimit: 1 },
};

describe.each([...operations, waitForDecision])(
	'$resource $operation',
	({ resource, operation, parameters }) => {
		it.each(operation === 'waitForDecision' ? UNEXPECTED_VALUES.slice(0, 2) : UNEXPECTED_VALUES)(
			'outputs an item or a clear error if every field of the response is %j',
			async (value) => {
				const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, value]));
				for (const status of [200, 400]) {
					const { outputItems, error } = await operateAgainst(
						{ ...fields, success: true },
						resource,
						operation,
						{ ...parameters, options: { tries: 1 } },
						status,
					);
					if (status === 400) expect(error).toBeDefined();
					if (error) {
						expect(`${error.message} ${adviceOf(error)}`).not.toMatch(JAVASCRIPT_ERROR);
						expect(adviceOf(error)).not.toBe('');
					} else {
						// An empty list of months has no item.
						const hasNoMonth = operation === 'getStatistics' && JSON.stringify(value) === '[]';
						expect(outputItems).toHaveLength(hasNoMonth ? 0 : 1);
					}
				}
			},
		);
	},
);
