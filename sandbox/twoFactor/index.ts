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
import { errorBody, TwoFactorError, createErrorResponse } from './errors';
import { supportOlderClients } from './olderClients';
import { RequestAuthorizer } from './requestAuthorizer';
import { settingChoices, defaultSettings } from './settings';
import type { TwoFactorSettings } from './settings';
import { TwoFactorState } from './state';
import { userHandlers } from './userHandlers';
import { verificationHandlers } from './verificationHandlers';

/** The two-factor service: users, codes, push approvals, phone verification and statistics. */
export function twoFactor(world: World): ServiceDefinition {
	const state = new TwoFactorState(world);
	const authorizer = new RequestAuthorizer(state);
	const { settings } = state;
	const olderClientSupport = supportOlderClients(state);
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
		handlers: wrapHandlers(handlers, settings),
		lenient: {
			...olderClientSupport,
			handlers: wrapHandlers(olderClientSupport.handlers, settings),
		},
		authorize: (headers) => withSuccessForm(authorizer.authorize(headers), settings),
		errorBody: (...rejection) => withSuccessForm(errorBody(...rejection), settings),
		settings: { ...defaultSettings },
		settingChoices: settingChoices,
		controls: twoFactorControls(state),
		reset() {
			state.reset();
			authorizer.reset();
		},
		storedRecords: () => state.storedRecords(),
	};
}

function wrapHandlers(
	handlers: Record<string, Handler>,
	settings: TwoFactorSettings,
): Record<string, Handler> {
	return Object.fromEntries(
		Object.entries(handlers).map(([name, handler]) => [name, wrapHandler(handler, settings)]),
	);
}

/** Wraps a handler to respond with a thrown failure. */
function wrapHandler(handler: Handler, settings: TwoFactorSettings): Handler {
	return async (request: ServiceRequest) => {
		try {
			return withSuccessForm(await handler(request), settings);
		} catch (error) {
			if (!(error instanceof TwoFactorError)) throw error;
			return withSuccessForm(createErrorResponse(error.code, { errors: error.errors }), settings);
		}
	};
}

/** Converts `success` to the form that the settings choose. */
function withSuccessForm<T extends HandlerResponse | undefined>(
	response: T,
	{ successForm }: TwoFactorSettings,
): T {
	if (!response || successForm !== 'string') return response;
	const body = response.body as { success: boolean | string };
	return { ...response, body: { ...body, success: String(body.success) } };
}
