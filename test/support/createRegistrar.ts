import type { IDataObject } from 'n8n-workflow';

/** Returns a function that registers a person for an event of the sandbox. The person is given by first name. */
export const createRegistrar =
	(
		performDeskAction: (action: string, input: IDataObject) => Promise<IDataObject>,
		eventId: string,
	) =>
	async (FirstName: string, RegistrationTypeId?: number): Promise<IDataObject> =>
		await performDeskAction('register', {
			eventId,
			FirstName,
			LastName: 'Lovelace',
			Email: `${FirstName.toLowerCase()}@email.example`,
			...(RegistrationTypeId !== undefined && { RegistrationTypeId }),
		});
