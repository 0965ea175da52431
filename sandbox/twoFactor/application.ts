/** The application that the demo key belongs to. */
export const application = { app_id: 4711, name: 'Gatehouse Sandbox', plan: 'sandbox' };
