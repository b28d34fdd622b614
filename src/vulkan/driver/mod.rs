//! The driver: instance, choice of a device, and the device in use.

pub(crate) mod capabilities;
pub(crate) mod device;
pub(crate) mod facts;
pub(crate) mod instance;
pub(crate) mod instance_support;
pub(crate) mod live_objects;
pub(crate) mod selection;
pub(crate) mod survey;
