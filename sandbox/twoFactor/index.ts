import type {
	HandlerResponse,
	ServiceRequest,
	Handler,
	ServiceDefinition,
	World,
} from '../service';
import { applicationHandlers } from './applicationHandlers';
import { approvalHandlers } from './approvalHandlers';
import { codeHandlers } from './codeHandlers';
import { twoFactorControls } from './controls';
import { errorBody, Failure, failureResponse } from './failures';
import { Gate } from './gate';
import { olderClients } from './olderClients';
import { choices, defaults } from './settings';
import type { TwoFactorSettings } from './settings';
import { State } from './state';
import { userHandlers } from './userHandlers';
import { verificationHandlers } from './verificationHandlers';

/** The two-factor service: users, codes, push approvals, phone verification and statistics. */
export function twoFactor(world: World): ServiceDefinition {
	const state = new State(world);
	const gate = new Gate(state);
	const { settings } = state;
	const older = olderClients(state);
	const handlers = {
		...userHandlers(state),
		...codeHandlers(state),
		...approvalHandlers(state),
		...verificationHandlers(state),
		...applicationHandlers(state),
	};
	return {
		name: 'twoFactor',
		credential: world.demo.twoFactor,
		handlers: finishedAll(handlers, settings),
		lenient: {
			...older,
			handlers: finishedAll(older.handlers, settings),
		},
		authorize: (headers) => inForm(gate.check(headers), settings),
		errorBody: (...rejection) => inForm(errorBody(...rejection), settings),
		settings: { ...defaults },
		settingChoices: choices,
		controls: twoFactorControls(state),
		reset() {
			state.reset();
			gate.reset();
		},
		storedRecords: () => state.storedRecords(),
	};
}

function finishedAll(
	handlers: Record<string, Handler>,
	settings: TwoFactorSettings,
): Record<string, Handler> {
	return Object.fromEntries(
		Object.entries(handlers).map(([name, handler]) => [name, finished(handler, settings)]),
	);
}

/** Wraps a handler to respond with a thrown failure. */
function finished(handler: Handler, settings: TwoFactorSettings): Handler {
	return async (request: ServiceRequest) => {
		try {
			return inForm(await handler(request), settings);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			return inForm(failureResponse(error.code, { errors: error.errors }), settings);
		}
	};
}

/** Converts `success` to the form that the settings choose. */
function inForm<T extends HandlerResponse | undefined>(
	response: T,
	{ successForm }: TwoFactorSettings,
): T {
	if (!response || successForm !== 'string') return response;
	const body = response.body as { success: boolean | string };
	return { ...response, body: { ...body, success: String(body.success) } };
}
