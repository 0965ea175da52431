import { adviceOf, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';
import { operations } from './twoFactorRows';

const { against } = useFakeTwoFactor(useTwoFactorRig());

/** Members of the service's responses that the code reads. */
const NAMES = [
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
const ODD: unknown[] = [null, 42, 'word', true, [], [null], [[]], [42, {}], {}, { id: null }];

/** JavaScript's own messages for programming errors. */
const RAW = /Cannot (read|use|convert)|undefined|is not (a function|iterable|an object)|Invalid/i;

const waiting = {
	resource: 'approvalRequest',
	operation: 'waitForDecision',
	parameters: { uuid: 'u-1', waitLimit: 1 },
};

describe.each([...operations, waiting])(
	'$resource $operation',
	({ resource, operation, parameters }) => {
		it.each(operation === 'waitForDecision' ? ODD.slice(0, 2) : ODD)(
			'every field of a response being %j leads to an item or a clear error',
			async (odd) => {
				const everywhere = Object.fromEntries(NAMES.map((name) => [name, odd]));
				for (const status of [200, 400]) {
					const { outputItems, error } = await against(
						{ ...everywhere, success: true },
						resource,
						operation,
						{ ...parameters, options: { tries: 1 } },
						status,
					);
					if (status === 400) expect(error).toBeDefined();
					if (error) {
						expect(`${error.message} ${adviceOf(error)}`).not.toMatch(RAW);
						expect(adviceOf(error)).not.toBe('');
					} else if (operation !== 'getStatistics') {
						expect(outputItems).toHaveLength(1);
					}
				}
			},
		);
	},
);
